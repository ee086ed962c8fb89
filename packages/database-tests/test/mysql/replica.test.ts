/**
 * Whether equal versions mean equal data. The ordinary run is short; longer:
 *
 *     VERSIONS_SEEN=3000 npx vitest run test/mysql/replica.test.ts
 */
import { beforeRelease, type MariadbServer, until } from '@proj/test-servers';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { DataByVersion } from '../data-by-version.ts';
import { describeMariadb, describeMysql, MYSQL, useOwn, useOwnMariadb } from './mariadb.ts';
import { type Beside, readWhileWritten } from './read-while-written.ts';
import { RESTLESS_TABLE } from './restless-writers.ts';

/** What changes the meaning of rows, without any of them being written. */
const DEFINITIONS = [
  'alter table restless modify word varchar(9) collate utf8mb4_bin not null, algorithm = instant',
  'alter table restless add column extra double not null default 7, algorithm = instant',
  'alter table restless rename column n to extra, rename column extra to n',
  'alter table restless modify word varchar(9) collate utf8mb4_general_ci not null',
  'alter table restless drop column extra',
  'alter table restless force',
];

/** How often all of them are made. */
const ROUNDS = beforeRelease ? 100 : 4;

const alterMeanwhile =
  (url: string, definitions = DEFINITIONS): Beside =>
  async (signal) => {
    const client = await createConnection(url);
    for (let round = 0; round < ROUNDS && !signal.aborted; round++)
      for (const statement of definitions) await client.query(statement);
    await client.end();
  };

describeMariadb('equal versions of MariaDB', () => {
  const mariadb = useOwnMariadb({
    settings: ['log-bin', 'server-id=1', 'general-log=off'],
    sql: RESTLESS_TABLE,
  });
  let replica: MariadbServer;
  beforeAll(async () => {
    replica = await mariadb().startReplica();
    const count = `select count(*) from information_schema.tables where table_name = 'restless'`;
    await until(async () => (await replica.client(count)) === '1');
  });
  afterAll(() => replica.stop());

  const readAt = (url: string, beside?: Beside): Promise<DataByVersion> =>
    readWhileWritten({ read: [url], written: [mariadb().url] }, beside);

  it('mean equal data on a replica that applies writes in parallel', async () => {
    const data = await readAt(replica.url);
    expect(data.differing).toEqual([]);
    expect(await replica.client('show slave status')).toContain('\tYes\tYes\t');
  });

  it('mean equal data on the server that is written to, where the table is altered too', async () => {
    const data = await readAt(mariadb().url, alterMeanwhile(mariadb().url));
    expect(data.differing).toEqual([]);
  });
});

describeMysql('equal versions of MySQL', () => {
  // Commits wait for others in the binary log, prepared.
  const settings = ['log-bin', 'server-id=1', 'general-log=off', 'sync-binlog=1'];
  const held = ['binlog-group-commit-sync-delay=2000', 'binlog-order-commits=off'];
  const mysql = useOwn(MYSQL, { settings: [...settings, ...held], sql: RESTLESS_TABLE });
  // Instantly it changes no collation.
  const definitions = DEFINITIONS.map((sql) =>
    sql.includes('collate') ? sql.replace(', algorithm = instant', '') : sql,
  );

  it('mean equal data beside writers, while the table is altered too', async () => {
    const { url } = mysql();
    const servers = { read: [url], written: [url] };
    const data = await readWhileWritten(servers, alterMeanwhile(url, definitions));
    expect(data.differing).toEqual([]);
  });
});
