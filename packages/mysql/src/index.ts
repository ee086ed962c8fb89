import { type DatabaseKind, Pools } from '@proj/engine/database';

/** MySQL and MariaDB: `mysql://…` or `mariadb://…`, by the driver `mysql2`. */
export const mysql: DatabaseKind = {
  schemes: ['mysql', 'mariadb'],
  example: 'mysql://reader@localhost/shop',
  isServer: true,
  canReplicate: true,
  open: async (url, { processes, exports, replyMemory }) => {
    const { openMysql } = await import('./source.ts');
    const limits = { ...Pools.shareOf(Pools.SERVER_LIMITS, processes), replyMemory };
    return openMysql(url, limits, Pools.exportLimits(exports, processes));
  },
};
