import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { createClient } from '@proj/client';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it, onTestFinished } from 'vitest';

import { CLERK, type Service, startService } from '../availability/service.ts';
import { unmet } from '../support/programs.ts';
import { OPEN_DATABASE } from './databases.ts';

const ROWS = 1_000_000;

/** A page whose records are compared one by one, at a few places of the list. */
const SIZE = 1000;

const left = unmet({ programs: ['mariadbd'] });

describe.skipIf(left !== '').each(['postgres', 'mariadb', 'sqlite'] as const)(
  `a Parquet file of ${ROWS} records of %s${left}`,
  (name) => {
    it('has the records of the database, as DuckDB finds them', async () => {
      const database = await OPEN_DATABASE[name](ROWS);
      onTestFinished(() => database.close());
      const service = await startService(
        `database: ${database.url}\nlimits: { export_timeout_ms: 900000 }`,
      );
      onTestFinished(() => service.stop());
      const file = await exportFile(service);
      const instance = await DuckDBInstance.create(':memory:');
      onTestFinished(() => instance.closeSync());
      const connection = await instance.connect();
      const read = async (sql: string): Promise<unknown[][]> =>
        (await connection.runAndReadAll(sql)).getRowsJson();
      const counted = await read(`select count(*)::int, count(distinct id)::int, min(id)::int,
        max(id)::int, bool_and(note like '% ' || id) from '${file}'`);
      expect(counted).toEqual([[ROWS, ROWS, 1, ROWS, true]]);
      const client = createClient({ baseUrl: service.origin, token: CLERK });
      for (const page of [1, 500, 1000]) {
        const { records } = await client.query({ ...LIST, page, size: SIZE });
        const found = await read(`select id::varchar, note from '${file}'
          limit ${SIZE} offset ${(page - 1) * SIZE}`);
        expect(found).toEqual(records.map(({ id, note }) => [String(id), note]));
      }
    });
  },
);

const LIST = { model: 'numbers', attributes: ['id', 'note'] } as const;

async function exportFile({ origin }: Service): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'dynamic-query-parquet-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'numbers.parquet');
  const client = createClient({ baseUrl: origin, token: CLERK });
  const { total, body } = await client.exportFile(LIST, { format: 'parquet' });
  expect(total).toBe(BigInt(ROWS));
  await pipeline(Readable.from(body), createWriteStream(file));
  return file;
}
