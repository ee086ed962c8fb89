export { Connection, ConnectionLostError } from '../pools/connection.ts';
export { ConnectionPool } from '../pools/connection-pool.ts';
export type { PoolLimits, PooledConnection } from '../pools/connection-pool.ts';
export { ASKING_BASES, SERVER_LIMITS, exportLimits, shareOf } from '../pools/pool-limits.ts';
export { Lanes, Server, runStoppable, type Failures, type Run } from '../pools/server.ts';
export { SMALL_REPLY_BYTES, type ReplyRead } from '../../reply-memory.ts';
