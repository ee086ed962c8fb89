import { type DatabaseKind, Pools } from '@proj/engine/database';

/** PostgreSQL: `postgres://…` or `postgresql://…`, by the driver `pg`. */
export const postgres: DatabaseKind = {
  schemes: ['postgres', 'postgresql'],
  example: 'postgres://reader@localhost/shop',
  isServer: true,
  canFollow: true,
  canReplicate: true,
  hasSessions: true,
  open: async (url, { exports, replyMemory, ...settings }) => {
    const { openPostgres } = await import('./source.ts');
    const { isReplica = false, cluster, processes } = settings;
    return openPostgres(url, {
      ...settings,
      // A standby of one server shows no state of the others.
      cluster: isReplica ? { cut: 'none' } : cluster,
      limits: { ...Pools.shareOf(Pools.SERVER_LIMITS, processes), replyMemory },
      exports: Pools.exportLimits(exports, processes),
    });
  },
};
