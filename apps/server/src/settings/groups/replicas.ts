import type { ReplicaSettings, SeenElsewhere } from '@proj/engine';
import { milliseconds } from '@proj/fastify/settings';
import * as z from 'zod';

import { databaseKind } from '../database-kinds.ts';

const urls = z.array(z.string().min(1)).min(1).max(16);

const DEFAULT_LAG_MS = 10_000;

const replicaGroup = z.strictObject({
  urls,
  max_lag_ms: milliseconds.min(500).default(DEFAULT_LAG_MS),
});

export const replicaSettings = z.union(
  [urls, replicaGroup],
  'expected a list of URLs, or a mapping with `urls` and `max_lag_ms`',
);

type Replicas = z.output<typeof replicaSettings>;

export function replicasOf(
  settings: Replicas | undefined,
  seenElsewhere?: SeenElsewhere,
): ReplicaSettings | undefined {
  if (settings === undefined) return undefined;
  const { urls: all, max_lag_ms: maxLagMs } = Array.isArray(settings)
    ? { urls: settings, max_lag_ms: DEFAULT_LAG_MS }
    : settings;
  return { urls: all, maxLagMs, seenElsewhere };
}

/** Conflicts with a database, with the place below `replicas`. */
export function replicaUrlErrors(
  database: string,
  settings: Replicas | undefined,
): { readonly path: readonly (string | number)[]; readonly message: string }[] {
  const replicas = replicasOf(settings);
  if (replicas === undefined) return [];
  const kind = databaseKind(database);
  if (kind?.canReplicate !== true) return [{ path: [], message: WITHOUT_REPLICAS }];
  return replicas.urls.flatMap((url, index) => {
    if (databaseKind(url) === kind) return [];
    const path = Array.isArray(settings) ? [index] : ['urls', index];
    return [{ path, message: 'expected a URL of the same kind as that of `database`' }];
  });
}

const WITHOUT_REPLICAS = 'only PostgreSQL and MariaDB have replicas. Leave it out.';
