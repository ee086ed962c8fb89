/**
 * Whether equal versions mean equal data. The ordinary run is short; longer:
 *
 *     VERSIONS_SECONDS=60 npx vitest run test/mysql/replica.test.ts
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { type MariadbServer, until } from '@proj/test-servers';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { Connection } from '../../src/sources/mysql/connection.ts';
import { SnapshotVersions } from '../../src/sources/mysql/snapshot-versions.ts';
import { readMysqlUrl } from '../../src/sources/mysql/url.ts';
import { DataByVersion } from '../data-by-version.ts';
import { describeMariadb, useMariadb } from './mariadb.ts';
import { LOOKS, RESTLESS_TABLE, writeRestlessly } from './restless-writers.ts';

const SECONDS = Number(process.env['VERSIONS_SECONDS'] ?? 2);
const READERS = 3;
const TIMEOUT_MS = SECONDS * 2000 + 60_000;

/** What changes the meaning of rows, without any of them being written. */
const DEFINITIONS = [
  'alter table restless modify word varchar(9) collate utf8mb4_bin not null, algorithm = instant',
  'alter table restless add column extra double not null default 7, algorithm = instant',
  'alter table restless rename column n to extra, rename column extra to n',
  'alter table restless modify word varchar(9) collate utf8mb4_general_ci not null',
  'alter table restless drop column extra',
  'alter table restless force',
];

describeMariadb('equal versions of MariaDB', () => {
  const mariadb = useMariadb({
    settings: ['log-bin', 'server-id=1', 'general-log=off'],
    sql: RESTLESS_TABLE,
  });
  let replica: MariadbServer;
  beforeAll(async () => {
    replica = await mariadb().startReplica();
    const count = `select count(*) from information_schema.tables where table_name = 'restless'`;
    await until(async () => (await replica.client(count)) === '1');
  }, 120_000);
  afterAll(() => replica.stop(), 60_000);

  /** Reads a server while others write to the primary. */
  async function readWhileWritten(url: string, beside: (signal: AbortSignal) => Promise<void>) {
    const ended = new AbortController();
    const { signal } = ended;
    const data = new DataByVersion();
    const reading = Array.from({ length: READERS }, () => readAll(url, data, signal));
    const writing = writeRestlessly(mariadb().url, signal);
    await Promise.race([beside(signal), ...reading, writing]).finally(() => ended.abort());
    await Promise.all([...reading, writing]);
    const all = data.without + data.seenAgain + data.versions;
    console.info(
      `${all} snapshots: ${data.versions} versions, ${data.seenAgain} seen again, ` +
        `${data.without} without, ${data.differing.length} differ.`,
    );
    return data;
  }

  it(
    'mean equal data on the server that is written to',
    async () => {
      const data = await readWhileWritten(mariadb().url, () => sleep(SECONDS * 1000));
      expect(data.differing).toEqual([]);
      expect(data.versions).toBeGreaterThan(10);
      expect(data.seenAgain).toBeGreaterThan(10);
    },
    TIMEOUT_MS,
  );

  it(
    'mean equal data on a replica that applies writes in parallel',
    async () => {
      const data = await readWhileWritten(replica.url, () => sleep(SECONDS * 1000));
      expect(data.differing).toEqual([]);
      expect(data.versions).toBeGreaterThan(10);
      expect(data.seenAgain).toBeGreaterThan(10);
      expect(await replica.client('show slave status')).toContain('\tYes\tYes\t');
    },
    TIMEOUT_MS,
  );

  it(
    'mean equal data while the table is altered',
    async () => {
      const data = await readWhileWritten(mariadb().url, async (signal) => {
        const client = await createConnection(mariadb().url);
        const end = performance.now() + SECONDS * 1000;
        while (!signal.aborted && performance.now() < end)
          for (const statement of DEFINITIONS) await client.query(statement);
        await client.end();
      });
      expect(data.differing).toEqual([]);
      expect(data.versions).toBeGreaterThan(10);
    },
    TIMEOUT_MS,
  );
});

/** Looks at the table in one snapshot after the other; a table is altered under some of them. */
async function readAll(url: string, data: DataByVersion, signal: AbortSignal): Promise<void> {
  const connection = await Connection.open(readMysqlUrl(url));
  const versions = new SnapshotVersions();
  const work = async (): Promise<string> => {
    const seen: unknown[] = [];
    for (const sql of LOOKS) seen.push(await connection.command(sql));
    return JSON.stringify(seen);
  };
  while (!signal.aborted) {
    const read = await versions.read(connection, { work, versioned: true }).catch(() => undefined);
    if (read !== undefined) data.note(read.version, read.value);
  }
  connection.destroy();
}
