import { type Engine, EVERYTHING } from '@proj/engine';
import type { Client } from 'pg';
import { beforeAll, describe, expect, it, vi } from 'vitest';

import { ask, hitsOf, open } from '../../open.ts';
import { connect, urlOf, usePostgres } from '../server.ts';

const SQL = `
  create table read (id int primary key);
  create table written (id int primary key);
  insert into read select generate_series(1, 500);
  create table computed (id int primary key, data jsonb);
  insert into computed select n, '{"a": 1}' from generate_series(1, 500) n;
  create function called(int) returns int immutable language sql as 'select $1';
  create role readers;
  create role reader login in role readers;
  grant select on read to readers;
  create publication dynamic_query for table read, written, computed`;

const MODELS = {
  computed: {
    attributes: {
      id: {},
      called: { sql: 'called(id)', type: 'int32', reads: 'row' },
      within: { json: 'data', path: ['a'], type: 'int32' },
    },
  },
  selected: {
    sql: 'select called(id) as called from computed',
    key: ['called'],
    reads: ['computed'],
  },
} as const;

interface Called {
  /** The least value that the function gives, and how many are at most 100, in all replies. */
  readonly found: readonly unknown[];
  readonly versions: readonly unknown[];
}

async function calledIn(engine: Engine): Promise<Called> {
  const few = { attribute: 'called', op: 'lte', value: 100 };
  const [found, versions]: [unknown[], unknown[]] = [[], []];
  for (const query_model of ['computed', 'selected']) {
    const list = { query_model, query_filter: few };
    const sorted = { query_attributes: ['called'], query_sort: [{ attribute: 'called' }] };
    const page = await engine.query({ ...list, ...sorted, page: { page: 1, size: 1 } }, EVERYTHING);
    const asked = { ...list, query_facets: [{ attribute: 'called', values: 1 }] };
    const facets = await engine.facets(asked, EVERYTHING);
    const { facets: values, total } = JSON.parse(facets.json);
    found.push([JSON.parse(page.result)[0].called, page.page.total], [values[0].min, total]);
    versions.push(page.version, facets.version);
  }
  return { found, versions };
}

describe('what is kept of a followed relation', () => {
  const postgres = usePostgres(SQL);
  let engine: Engine;
  let reading: Engine;
  let sql: Client;
  beforeAll(async () => {
    const { url } = postgres();
    engine = await open(url, { follow: true, models: MODELS });
    reading = await open(urlOf(postgres(), 'reader'), { follow: { url } });
    sql = await connect(url);
  });

  const total = async (asked = engine): Promise<string> =>
    (await ask(asked, { model: 'read', attributes: ['id'], page: 2, size: 10 })).page.total;

  /** Reads until the reply is kept over a write to another relation. */
  async function keep(read: () => Promise<unknown>, asked = engine): Promise<void> {
    await vi.waitFor(
      async () => {
        await read();
        await sql.query('insert into written select count(*) from written');
        const before = hitsOf(asked, 'reply_cache');
        await read();
        expect(hitsOf(asked, 'reply_cache')).toBe(before + 1);
      },
      { interval: 50, timeout: 20_000 },
    );
  }

  it('outlives the writes to other relations, and not those to its own', async () => {
    await keep(() => total());
    await sql.query('insert into read values (1001)');
    expect(await total()).toBe('501');
    await sql.query('truncate read');
    expect(await total()).toBe('0');
  });

  it('does not outlive a function that SQL of the settings calls', async () => {
    await keep(() => ask(engine, { model: 'computed', attributes: ['id', 'within'] }));
    const before: unknown[] = [undefined];
    for (const more of [0, 10, 20, 30]) {
      await sql.query(`create or replace function called(int) returns int
        immutable language sql as 'select $1 + ${more}'`);
      const first = await calledIn(engine);
      const again = await calledIn(engine);
      for (const { found, versions } of [first, again]) {
        expect(found).toEqual(found.map(() => [1 + more, `${100 - more}`]));
        for (const version of versions) expect(before).not.toContain(version);
      }
      before.push(...first.versions, ...again.versions);
    }
  });

  it('does not outlive the right to read it, which the login has by another role', async () => {
    await keep(() => total(reading), reading);
    await sql.query('revoke readers from reader');
    await expect(total(reading)).rejects.toMatchObject({ code: 'model_unavailable' });
  });
});
