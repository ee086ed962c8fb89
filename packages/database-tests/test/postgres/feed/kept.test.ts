import type { Engine } from '@proj/engine';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { ask, open } from '../../open.ts';
import { usePostgres } from '../server.ts';

const SQL = `
  create table read (id int primary key);
  create table written (id int primary key);
  insert into read select generate_series(1, 500);
  create publication dynamic_query for table read, written`;

describe('what is kept of a followed relation', () => {
  const postgres = usePostgres(SQL);
  let engine: Engine;
  let sql: Client;
  beforeAll(async () => {
    engine = await open(postgres().url, { follow: true });
    sql = new Client({ connectionString: postgres().url });
    await sql.connect();
  });
  afterAll(() => sql.end());

  const total = async (): Promise<string> =>
    (await ask(engine, { model: 'read', attributes: ['id'], page: 2, size: 10 })).page.total;

  const repliesKept = (): number =>
    engine.statistics().find(({ mechanism }) => mechanism === 'reply_cache')?.hits ?? 0;

  it('outlives the writes to other relations, and not those to its own', async () => {
    let id = 0;
    await vi.waitFor(
      async () => {
        await total();
        await sql.query(`insert into written values (${++id})`);
        const before = repliesKept();
        await total();
        expect(repliesKept()).toBe(before + 1);
      },
      { interval: 50, timeout: 20_000 },
    );
    await sql.query('insert into read values (1001)');
    expect(await total()).toBe('501');
    await sql.query('truncate read');
    expect(await total()).toBe('0');
  });
});
