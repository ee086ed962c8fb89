import {
  type Acceleration,
  type EngineSettings,
  type ReplyMemory,
  type SeenElsewhere,
  SettingsError,
} from '@proj/engine';
import { modelSettings, sessionRoles } from '@proj/fastify/settings';

import { kindsWith } from './database-kinds.ts';
import { fileListsIn } from './file-lists.ts';
import { accelerationOf } from './groups/acceleration.ts';
import { followOf } from './groups/follow.ts';
import { replicasOf } from './groups/replicas.ts';
import type { DatabaseSettings } from './databases.ts';

export interface Spread {
  /** Processes that share what the settings allow. Default: 1. */
  readonly workers?: number | undefined;
  /** Databases that share the memory of the caches. Default: 1. */
  readonly databases?: number | undefined;
  /** As `Acceleration.takeBuildTurn`. */
  readonly takeBuildTurn?: Acceleration['takeBuildTurn'];
  /** As `ReplicaSettings.seenElsewhere`. */
  readonly seenElsewhere?: SeenElsewhere | undefined;
  /** As `EngineSettings.replyMemory`. */
  readonly replyMemory?: ReplyMemory | undefined;
}

/** Of one database in one process, in bytes. */
export function cacheMemory(
  { acceleration }: Pick<DatabaseSettings, 'acceleration'>,
  { workers = 1, databases = 1 }: Pick<Spread, 'workers' | 'databases'>,
): number {
  return accelerationOf(acceleration).memoryBytes / workers / databases;
}

export function databaseKinds(
  settings: Pick<DatabaseSettings, 'database' | 'files' | 'models' | 'duckdb'>,
): EngineSettings['kinds'] {
  const { memory, threads, spill_folder: spillFolder, spill } = settings.duckdb;
  const files = fileListsIn(settings);
  if (Object.keys(files).length > 0 && !/^duckdb:(\/\/)?$/i.test(settings.database))
    throw new SettingsError('files: they need a database of their own: database: "duckdb:".');
  return kindsWith({ files, memory, threads, spillFolder, spill });
}

export function engineSettings(settings: DatabaseSettings, spread: Spread = {}): EngineSettings {
  const { workers = 1, takeBuildTurn, seenElsewhere, replyMemory } = spread;
  const { database, databaseName, prefix, pooler, follow, cluster, replicas } = settings;
  const { expose, models, roles, limits, acceleration } = settings;
  return {
    database,
    kinds: databaseKinds(settings),
    databaseName,
    prefix,
    pooler,
    follow: followOf(follow),
    cluster,
    replicas: replicasOf(replicas, seenElsewhere),
    expose: settings.files === undefined ? expose : 'all',
    models: modelSettings(models),
    sessions: sessionRoles(roles),
    maxPageSize: limits.max_page_size,
    maxUpTo: limits.max_up_to,
    maxReplyBytes: limits.max_reply_bytes,
    queryTimeoutMs: limits.query_timeout_ms,
    exports: limits.exports,
    exportTimeoutMs: limits.export_timeout_ms,
    watchCheckMs: limits.watch_check_ms,
    watchReadMs: limits.watch_read_ms,
    acceleration: {
      ...accelerationOf(acceleration),
      memoryBytes: cacheMemory(settings, spread),
      indexBuildMs: limits.index_build_ms,
      takeBuildTurn,
    },
    processes: workers,
    replyMemory,
  };
}
