export { hasMariadb, startMariadb } from './mariadb.ts';
export type { MariadbServer } from './mariadb.ts';
export { startPostgres } from './postgres.ts';
export { hasRedis, startRedis } from './redis.ts';
export type { RedisServer } from './redis.ts';
export type { TestServer } from './test-server.ts';
