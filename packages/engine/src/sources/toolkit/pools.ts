export { Connection, ConnectionLostError } from '../pools/connection.ts';
export type { PoolLimits, PooledConnection } from '../pools/connection-pool.ts';
export { ASKING_BASES, SERVER_LIMITS, exportLimits, shareOf } from '../pools/pool-limits.ts';
export { Lanes, Server } from '../pools/server.ts';
export type { Failures } from '../pools/server.ts';
export { runStoppable } from '../pools/stoppable.ts';
export type { Run } from '../pools/stoppable.ts';
export { SMALL_REPLY_BYTES } from '../../reply-memory.ts';
export type { ReplyRead } from '../../reply-memory.ts';
