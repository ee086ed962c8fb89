export { hasMariadb, startMariadb } from './mariadb.ts';
export type { MariadbServer } from './mariadb.ts';
export { startPostgres } from './postgres.ts';
export type { TestServer } from './test-server.ts';
