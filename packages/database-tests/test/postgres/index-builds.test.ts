import { describe, expect, it } from 'vitest';

import { deepPagesOf, onlyEnded } from '../index-builds.ts';
import { open } from '../open.ts';
import { usePostgres } from './server.ts';

const SQL = `
  create table things (id int primary key, few int not null, at timestamptz, word text not null);
  insert into things select i, i % 3, case when i % 7 > 0 then now() - i * interval '1 second' end, repeat(md5(i::text), 3) from generate_series(1, 45000) i;
  create index on things (at, id);
  create index on things (word);
  create table small (id int primary key, few int not null);
  insert into small select i, i % 3 from generate_series(1, 5000) i;
  vacuum analyze`;

/** A session reports what it wrote when it ends, at the latest. */
const SESSIONS = `
  select count(*) from pg_stat_activity
  where backend_type = 'client backend' and pid <> pg_backend_pid()`;

/** What the statements of all databases have written to temporary files, in bytes. */
const TEMP_BYTES = 'select sum(temp_bytes) from pg_stat_database';

describe('building page indexes on PostgreSQL', () => {
  // Its commits would make a build outdated.
  const postgres = usePostgres(SQL);

  async function tempBytes(): Promise<number> {
    const sessions = async (): Promise<string> => (await postgres().client(SESSIONS)).trim();
    await expect.poll(sessions, { interval: 10 }).toBe('0');
    return Number((await postgres().client(TEMP_BYTES)).trim());
  }

  /** How the build for a list ends, and how much of it went to temporary files. */
  async function build(model: string, sort?: readonly string[]) {
    const before = await tempBytes();
    const acceleration = { pageIndexMinOffset: 100, replyCache: false };
    const engine = await open(postgres().url, { acceleration });
    const ended = await deepPagesOf(engine, { model, ...(sort && { sort }) });
    await engine.close();
    return { ended, tempBytes: (await tempBytes()) - before };
  }

  it.each([
    { order: 'the key', sort: undefined },
    { order: 'an index with NULL', sort: ['at'] },
    { order: 'an index that lacks the key', sort: ['word'] },
  ])('walks along $order, and writes no temporary file', async ({ sort }) => {
    expect(await build('things', sort)).toEqual({ ended: onlyEnded('built'), tempBytes: 0 });
  });

  it('refuses an order that has no index, where sorting would need a temporary file', async () => {
    // Passing over the rows before a page sorts them, too, but keeps only so many.
    expect(await build('things', ['few', 'word'])).toEqual({
      ended: onlyEnded('refused'),
      tempBytes: 0,
    });
  });

  it('sorts a list that fits into memory', async () => {
    expect(await build('small', ['few'])).toEqual({ ended: onlyEnded('built'), tempBytes: 0 });
  });

  it('would be seen to write temporary files', async () => {
    const before = await tempBytes();
    await postgres().client(
      'select count(n) from (select row_number() over (order by few, word) as n from things) as t',
    );
    expect(await tempBytes()).toBeGreaterThan(before);
  });
});
