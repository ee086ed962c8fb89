import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DuckDBInstance } from '@duckdb/node-api';
import { onTestFinished } from 'vitest';

/**
 * What DuckDB finds in a Parquet file, which it reads by its own code.
 *
 * @param sql about the table `file`; values of other types than texts are cast by it
 * @returns the rows, and NULL as null
 */
export async function readParquet(bytes: Uint8Array, sql: string): Promise<unknown[][]> {
  const folder = mkdtempSync(join(tmpdir(), 'parquet-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'list.parquet');
  writeFileSync(path, bytes);
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  try {
    await connection.run("set timezone = 'UTC'");
    await connection.run(`create view file as select * from read_parquet('${path}')`);
    return (await connection.runAndReadAll(sql)).getRowsJson();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** The types of the columns, by their names. */
export async function columnTypes(bytes: Uint8Array): Promise<Record<string, unknown>> {
  const rows = await readParquet(bytes, 'select column_name, column_type from (describe file)');
  return Object.fromEntries(rows.map(([name, type]) => [String(name), type]));
}
