import { type DatabaseKind, Pools } from '@proj/engine/database';

/** PostgreSQL: `postgres://…` or `postgresql://…`, by the driver `pg`. */
export const postgres: DatabaseKind = {
  schemes: ['postgres', 'postgresql'],
  example: 'postgres://reader@localhost/shop',
  isServer: true,
  canFollow: true,
  canReplicate: true,
  hasSessions: true,
  open: async (
    url,
    { pooler = 'auto', queryTimeoutMs = 10_000, isReplica = false, ...settings },
  ) => {
    const { openPostgres } = await import('./source.ts');
    const { follow, processes, exports, replyMemory, cluster } = settings;
    return openPostgres(url, {
      pooler,
      queryTimeoutMs,
      follow,
      // A standby of one server shows no state of the others.
      cluster: isReplica ? { cut: 'none' } : cluster,
      processes,
      limits: { ...Pools.shareOf(Pools.SERVER_LIMITS, processes), replyMemory },
      exports: Pools.exportLimits(exports, processes),
      isReplica,
    });
  },
};
