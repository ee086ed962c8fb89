import type { Engine, ReplicaStatus, ReplicaWatch } from '@proj/engine';
import type { Registry } from 'prom-client';

import type { NamedEngine, OpenDatabases } from '../../served/served-databases.ts';
import { FEED } from './feed-rows.ts';
import { addRows, labelled, type Row } from './row.ts';

type CountedEngine = Pick<
  Engine,
  'catalogue' | 'cuts' | 'indexBuilds' | 'sharedSessions' | 'statistics' | 'watched'
>;

const ENGINE: readonly Row<CountedEngine>[] = [
  [
    'dynamic_query_mechanism_hits_total',
    'Requests that an access path of the engine answered, since the catalogue was last reloaded.',
    (engine) => engine.statistics().map(({ mechanism, hits }) => [{ mechanism }, hits]),
    { labels: ['mechanism'] },
  ],
  [
    'dynamic_query_mechanism_misses_total',
    'Requests for which an access path of the engine was tried and missed.',
    (engine) => engine.statistics().map(({ mechanism, misses }) => [{ mechanism }, misses]),
    { labels: ['mechanism'] },
  ],
  [
    'dynamic_query_mechanism_bytes',
    'What an access path of the engine keeps in memory, in bytes, estimated.',
    (engine) => engine.statistics().map(({ mechanism, bytes }) => [{ mechanism }, bytes]),
    { labels: ['mechanism'] },
  ],
  [
    'dynamic_query_session_values',
    'For how many different values of its settings totals, replies or page indexes are kept, ' +
      'by the role of the database.',
    (engine) => engine.sharedSessions().kept.map(({ role, values }) => [{ role }, values]),
    { labels: ['role'] },
  ],
  [
    'dynamic_query_session_hits_total',
    'Requests as a role of the database that were answered by a kept reply (reply_cache) or ' +
      'total (total_cache), which a request of the same caller or of another one with the same ' +
      'values had brought, since the catalogue was last reloaded.',
    (engine) =>
      engine.sharedSessions().uses.flatMap(({ role, mechanism, hitsOfOwn, hitsOfOthers }) => [
        [{ role, mechanism, kept_by: 'same_caller' }, hitsOfOwn],
        [{ role, mechanism, kept_by: 'another_caller' }, hitsOfOthers],
      ]),
    { labels: ['role', 'mechanism', 'kept_by'] },
  ],
  [
    'dynamic_query_session_misses_total',
    'Requests as a role of the database for which no total was kept (total_cache), or whose ' +
      'kept reply or total was not current any more.',
    (engine) =>
      engine
        .sharedSessions()
        .uses.map(({ role, mechanism, misses }) => [{ role, mechanism }, misses]),
    { labels: ['role', 'mechanism'] },
  ],
  [
    'dynamic_query_index_builds_begun_total',
    'Page indexes that were begun, since the catalogue was last reloaded.',
    (engine) => engine.indexBuilds().begun,
  ],
  [
    'dynamic_query_index_builds_ended_total',
    'Page indexes by how building them ended: built; outdated by a write; refused, because the ' +
      'database has no index for the order and would sort too much, or policies keep it from ' +
      'searching one; failed, or out of time.',
    (engine) => labelled('outcome', Object.entries(engine.indexBuilds().ended)),
    { labels: ['outcome'] },
  ],
  [
    'dynamic_query_index_build_seconds_total',
    'How long building page indexes took, with the pauses between its chunks.',
    (engine) => engine.indexBuilds().milliseconds / 1000,
  ],
  [
    'dynamic_query_unavailable_models',
    'Models that are served and of which a part, or all, is missing in the database.',
    ({ catalogue }) =>
      [...catalogue.values()].filter(({ missing }) => missing !== undefined).length,
    { ofWorkers: 'max' },
  ],
  [
    'dynamic_query_approximate_models',
    'Models that are served although a reply may show several states of the data.',
    ({ catalogue }) =>
      [...catalogue.values()].filter(({ distributed }) => distributed !== undefined).length,
    { ofWorkers: 'max' },
  ],
  [
    'dynamic_query_cuts_total',
    'How often a read looked for one state of several servers, by kind (locked: while ' +
      'transactions of several servers were held) and by whether there was one. A read looks ' +
      'again for two seconds before it is 503 no_common_state.',
    ({ cuts }) =>
      cuts &&
      (['validated', 'locked'] as const).flatMap((kind) => [
        [{ kind, outcome: 'found' }, cuts[kind].found],
        [{ kind, outcome: 'missed' }, cuts[kind].missed],
      ]),
    { labels: ['kind', 'outcome'] },
  ],
  [
    'dynamic_query_watched_lists',
    'Lists that are watched; equal lists of callers who may see the same are one.',
    (engine) => engine.watched().lists,
  ],
  [
    'dynamic_query_watch_reads_total',
    'Times that a watched list was read because the data had changed.',
    (engine) => engine.watched().reads,
  ],
];

const LOSSES: Row<number> = [
  'dynamic_query_model_losses_total',
  'How often a model, or a part of it, was found to be missing in the database.',
  (losses) => losses,
];

export const REPLICAS: readonly Row<ReplicaWatch>[] = [
  [
    'dynamic_query_replica_usable',
    'Whether reads may go to a replica: 1 if so.',
    ofReplicas(({ problem }) => (problem === undefined ? 1 : 0)),
    { labels: ['replica'], ofWorkers: 'min' },
  ],
  [
    'dynamic_query_replica_lag_seconds',
    'How far a replica is behind the primary at most; infinite where that is not known.',
    ofReplicas(({ lagSeconds }) => lagSeconds),
    { labels: ['replica'], ofWorkers: 'max' },
  ],
  [
    'dynamic_query_replica_reads_total',
    'Queries that a replica has answered.',
    ofReplicas(({ reads }) => reads),
    { labels: ['replica'] },
  ],
  [
    'dynamic_query_replica_failed_reads_total',
    'Queries that a replica failed to answer, and that went to the primary then.',
    ofReplicas(({ failedReads }) => failedReads),
    { labels: ['replica'] },
  ],
  [
    'dynamic_query_replica_primary_reads_total',
    'Queries that replicas were allowed to answer and the primary answered, by reason: ' +
      'they cost little, it was not known what their callers had seen, no replica was usable, or ' +
      'none had come far enough.',
    ({ reads: { cheap, unknown, noReplica, behind, ahead } }) =>
      labelled('reason', Object.entries({ cheap, unknown, no_replica: noReplica, behind, ahead })),
    { labels: ['reason'] },
  ],
  [
    'dynamic_query_replica_waits_total',
    'Queries that waited for a replica to come as far as their caller had seen.',
    ({ reads }) => reads.waits,
  ],
  [
    'dynamic_query_replica_wait_seconds_total',
    'How long queries have waited for replicas together.',
    ({ reads }) => reads.waitSeconds,
  ],
];

/** Engines are asked when the metrics are read. */
export function addDatabaseMetrics({ each, onOpen }: OpenDatabases, registry: Registry): void {
  const add = <Of>(rows: readonly Row<Of>[], partOf: (database: NamedEngine) => Of | undefined) =>
    addRows(registry, rows, () =>
      each().flatMap((database) => {
        const [part, { name }] = [partOf(database), database];
        const labels: Record<string, string> = name === undefined ? {} : { database: name };
        return part === undefined ? [] : [[part, labels] as const];
      }),
    );
  const losses = new Map<string | undefined, number>();
  add(ENGINE, ({ engine }) => engine);
  add([LOSSES], ({ name }) => losses.get(name) ?? 0);
  onOpen(({ name, engine: opened }) => {
    losses.set(name, 0);
    opened.onModelChange(({ change }) => {
      if (change === 'lost') losses.set(name, (losses.get(name) ?? 0) + 1);
    });
    if (opened.feed !== undefined) add(FEED, ({ engine }) => engine.feed);
    if (opened.replicas !== undefined) add(REPLICAS, ({ engine }) => engine.replicas);
  });
}

function ofReplicas(read: (status: ReplicaStatus) => number): Row<ReplicaWatch>[2] {
  return ({ replicas }) => {
    const figures = replicas.map((status) => [status.name, read(status)] as const);
    return labelled('replica', figures);
  };
}
