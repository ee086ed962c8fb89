export { BulkheadPool } from '../pools/bulkhead-pool.ts';
export type { PoolLimits, PooledConnection } from '../pools/connection-pool.ts';
export { ASKING_BASES, SERVER_LIMITS, exportLimits, shareOf } from '../pools/pool-limits.ts';
export { SMALL_REPLY_BYTES } from '../../reply-memory.ts';
export type { ReplyRead } from '../../reply-memory.ts';
export { withRetry } from '../retry.ts';
