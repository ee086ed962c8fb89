export { afterFile, endFile } from './after-file.ts';
export { beforeRelease } from './before-release.ts';
export { anyPort, freePort, listenOnFreePort } from './free-port.ts';
export { freezeProcesses } from './freeze-processes.ts';
export { hasGalera, startGalera } from './galera.ts';
export type { GaleraNodes } from './galera.ts';
export { hasHaproxy, startHaproxy } from './haproxy.ts';
export type { Haproxy, HaproxyOptions } from './haproxy.ts';
export { hasMariadb, startMariadb } from './mariadb.ts';
export type { MariadbServer } from './mariadb.ts';
export { hasMysql, startMysql } from './mysql.ts';
export type { MysqlOptions, MysqlServer } from './mysql-process.ts';
export { hasPatroni, startPatroni } from './patroni.ts';
export type { PatroniCluster, PatroniNode } from './patroni.ts';
export { hasPgBouncer, startPgBouncer } from './pgbouncer.ts';
export type { PgBouncer, PoolMode } from './pgbouncer.ts';
export { hasPgpool, startPgpool } from './pgpool.ts';
export type { Pgpool } from './pgpool.ts';
export { psqlPath } from './postgres-programs.ts';
export { startPostgres } from './postgres.ts';
export type { PostgresServer } from './postgres.ts';
export { hasRedis, startRedis } from './redis.ts';
export type { RedisServer } from './redis.ts';
export { startProgram } from './running-program.ts';
export type { Ended, RunningProgram } from './running-program.ts';
export { eachNth, SEED } from './seed.ts';
export { openPrefixProxy } from './prefix-proxy.ts';
export { startService } from './running-service.ts';
export type { RunningService, ServiceStart } from './running-service.ts';
export type { TestDatabase, TestServer } from './test-server.ts';
export { until } from './until.ts';
export {
  newMariadbDatabase,
  newMysqlDatabase,
  newPostgresDatabase,
  workerMariadb,
  workerMysql,
  workerPostgres,
} from './worker-servers.ts';
