import type { Engine } from '@proj/engine';
import { Client } from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';

import { exported } from '../exported.ts';
import { ask, open } from '../open.ts';
import { usePostgres } from './server.ts';

const SIZE = 20;

/** Each pair of rows adds up to nothing, and neighbours in the order of the key are a pair. */
const SQL = `create table pairs (pair int, side int, amount bigint not null, primary key (pair, side));
  insert into pairs select pair, side, case side when 0 then pair else -pair end
    from generate_series(1, 200, 2) pair, generate_series(0, 1) side;
  create materialized view kept_pairs as select * from pairs;
  create table fresh (id int primary key);`;

describe('a page of PostgreSQL under concurrent writes', () => {
  const postgres = usePostgres(SQL);
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(postgres().url, { models: { kept_pairs: { key: ['pair', 'side'] } } });
  });

  it('has rows and total of one state', async () => {
    const writers = [write(postgres().url), write(postgres().url)];
    const totals = new Set<string>();
    try {
      for (let tries = 0; tries < 150 || totals.size < 5; tries++) {
        const asked = [1, 3, 10, 11].map(async (page) => {
          const { records, page: metadata } = await ask(engine, {
            model: 'pairs',
            attributes: ['pair', 'amount'],
            page,
            size: SIZE,
          });
          expect(records).toHaveLength(
            Math.max(0, Math.min(SIZE, Number(metadata.total) - (page - 1) * SIZE)),
          );
          expect(records.reduce((sum, { amount }) => sum + Number(amount), 0)).toBe(0);
          totals.add(metadata.total);
        });
        await Promise.all(asked);
      }
    } finally {
      await Promise.all(writers.map((writer) => writer.stop()));
    }
  });

  it('has whole lists of one state, of a table and of a materialised view that is refreshed', async () => {
    const writers = [write(postgres().url), write(postgres().url), refresh(postgres().url)];
    try {
      for (const model of ['pairs', 'kept_pairs']) {
        const totals = new Set<bigint>();
        for (let tries = 0; tries < 100 || totals.size < 5; tries++) {
          const attributes = ['pair', 'amount'];
          const { records, total } = await exported(engine, { model, attributes });
          expect(records.reduce((sum, { amount }) => sum + Number(amount), 0)).toBe(0);
          totals.add(total);
        }
      }
    } finally {
      await Promise.all(writers.map((writer) => writer.stop()));
    }
  });

  it('past the end has the total too', async () => {
    const { page, text } = await ask(engine, {
      model: 'pairs',
      attributes: ['pair'],
      page: 9_007_199_254_740_991,
      size: 1000,
    });
    expect(text).toBe('[]');
    expect(Number(page.total)).toBeGreaterThan(0);
    expect(page.has_next).toBe(false);
  });

  it('sees what was committed before it, on every connection', async () => {
    for (let rows = 1; rows <= 10; rows++) {
      await postgres().client(`insert into fresh values (${rows})`);
      const replies = await Promise.all(
        Array.from({ length: 5 }, () => ask(engine, { model: 'fresh', attributes: ['id'] })),
      );
      expect(replies.map(({ page }) => page.total)).toEqual(
        Array.from({ length: 5 }, () => String(rows)),
      );
    }
  });
});

/** Adds and takes away pairs, each in a transaction of two statements. */
function write(url: string): Writing {
  return repeat(url, async (client) => {
    const pair = Math.floor(Math.random() * 200);
    const values = (side: number, amount: number): string =>
      `values (${pair}, ${side}, ${amount}) on conflict do nothing`;
    const remove = (side: number): string =>
      `delete from pairs where pair = ${pair} and side = ${side}`;
    const adds = Math.random() < 0.5;
    await client.query('begin');
    // One writer at a time for each pair, or two might leave half of one.
    await client.query(`select pg_advisory_xact_lock(${pair})`);
    await client.query(adds ? `insert into pairs ${values(0, pair)}` : remove(0));
    await client.query(adds ? `insert into pairs ${values(1, -pair)}` : remove(1));
    await client.query('commit');
  });
}

function refresh(url: string): Writing {
  return repeat(url, async (client) => {
    await client.query('refresh materialized view kept_pairs');
  });
}

interface Writing {
  stop(): Promise<void>;
}

/** Does something on a connection again and again. */
function repeat(url: string, work: (client: Client) => Promise<void>): Writing {
  const stopping = new AbortController();
  const working = (async () => {
    const client = new Client({ connectionString: url });
    await client.connect();
    while (!stopping.signal.aborted) await work(client);
    await client.end();
  })();
  return {
    stop: () => {
      stopping.abort();
      return working;
    },
  };
}
