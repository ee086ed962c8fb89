import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DuckDBInstance } from '@duckdb/node-api';
import { type Engine, type EngineSettings, EVERYTHING, openEngine } from '@proj/engine';
import { onTestFinished } from 'vitest';

import { type DuckdbSettings, duckdbWith } from '../src/index.ts';

export function newFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'dynamic-query-duckdb-')));
}

/** Runs statements in a database of memory, or in a file. */
export async function execute(statements: readonly string[], path = ':memory:'): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  try {
    for (const statement of statements) await connection.run(statement);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

export interface Opening extends Partial<EngineSettings> {
  readonly duckdb?: DuckdbSettings;
}

export async function open({ duckdb = {}, ...settings }: Opening = {}): Promise<Engine> {
  const engine = await openEngine({
    database: 'duckdb:',
    kinds: [duckdbWith(duckdb)],
    queryTimeoutMs: 60_000,
    maxPageSize: 1000,
    expose: 'all',
    models: {},
    ...settings,
  });
  onTestFinished(() => engine.close());
  return engine;
}

/** Runs statements in a new file, and opens an engine over it. */
export async function openOver(
  statements: readonly string[],
  settings: Partial<EngineSettings> = {},
): Promise<Engine> {
  const path = join(newFolder(), 'data.duckdb');
  await execute(statements, path);
  return open({ database: `duckdb:${path}`, ...settings });
}

/** The total and the records of a page. */
export async function pageOf(
  engine: Engine,
  body: Readonly<Record<string, unknown>>,
): Promise<{ readonly total: string | null; readonly records: unknown[] }> {
  const asked = { page: { page: 1, size: 100 }, ...body };
  const { result, page } = await engine.query(asked, EVERYTHING);
  return { total: page.total, records: JSON.parse(result) as unknown[] };
}
