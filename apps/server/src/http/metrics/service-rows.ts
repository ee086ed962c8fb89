import type { OpenWatches, RunningExports } from '@proj/fastify/host';

import type { KeyProofs } from '../../checks/key-proofs.ts';
import type { DatabasesHealth } from '../../served/health.ts';
import type { Sending } from '../plugins/slow-readers.ts';
import { labelled, type Row } from './row.ts';

interface Lines {
  readonly dropped: number;
  readonly failure: Error | undefined;
}

export interface Outputs {
  readonly logStream: Lines;
  /** Undefined where there is no audit. */
  readonly auditLog: Lines | undefined;
}

export const LINES: readonly Row<Outputs>[] = [
  [
    'dynamic_query_lines_dropped_total',
    'Lines of the log and of the audit that were dropped because they could not be written.',
    (outputs) => ofOutputs(outputs, ({ dropped }) => dropped),
    { labels: ['output'] },
  ],
  [
    'dynamic_query_lines_failing',
    'Whether lines of the log and of the audit cannot be written: 1 if so.',
    (outputs) => ofOutputs(outputs, ({ failure }) => (failure === undefined ? 0 : 1)),
    { labels: ['output'], ofWorkers: 'max' },
  ],
];

function ofOutputs(
  { logStream, auditLog }: Outputs,
  read: (lines: Lines) => number,
): (readonly [{ output: string }, number])[] {
  const ofLog = [{ output: 'log' }, read(logStream)] as const;
  return auditLog ? [ofLog, [{ output: 'audit' }, read(auditLog)]] : [ofLog];
}

export interface CountedService {
  readonly sending: Sending;
  readonly keyProofs: Pick<KeyProofs, 'broken'>;
  readonly exports: RunningExports;
  readonly watches: OpenWatches;
}

export const SERVICE: readonly Row<CountedService>[] = [
  [
    'dynamic_query_unsent_reply_bytes',
    'Bytes of large replies that wait for their callers to read them.',
    ({ sending }) => sending.unsent.total,
  ],
  [
    'dynamic_query_send_timeouts_total',
    'Connections that were closed because they took nothing of their replies.',
    ({ sending }) => sending.timeouts,
  ],
  [
    'dynamic_query_broken_keys',
    'Keys that the settings declare and that were found not to be unique, or to hold NULL, ' +
      'after the start.',
    ({ keyProofs }) => keyProofs.broken,
  ],
  [
    'dynamic_query_exports_running',
    'Exports that run, or wait for a connection. Each that runs holds a snapshot.',
    ({ exports }) => exports.running,
  ],
  [
    'dynamic_query_exports_completed_total',
    'Exports that were sent as a whole.',
    ({ exports }) => exports.completed,
  ],
  [
    'dynamic_query_export_bytes_total',
    'Bytes of exports that were sent, those of exports that were cut included.',
    ({ exports }) => exports.bytes,
  ],
  [
    'dynamic_query_exports_cut_total',
    'Exports that were cut after their first byte, by the code of the reason; ' +
      '`cancelled` is a client that disconnected.',
    ({ exports }) => labelled('reason', exports.cut),
    { labels: ['reason'] },
  ],
  [
    'dynamic_query_watches_open',
    'Watches whose events are being sent; each has a connection.',
    ({ watches }) => watches.running,
  ],
  [
    'dynamic_query_watch_events_total',
    'Events that were sent because a list had changed.',
    ({ watches }) => watches.events,
  ],
];

export const ANSWERS: readonly Row<Pick<DatabasesHealth, 'look'>>[] = [
  [
    'dynamic_query_database_answers',
    'Whether a database answers: 1 if so; for a service with several databases only.',
    async (health) =>
      Array.from(await health.look(), ([database, state]) => [
        { database },
        state === 'answers' ? 1 : 0,
      ]),
    { ofWorkers: 'min' },
  ],
];
