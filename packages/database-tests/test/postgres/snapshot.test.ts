import type { Engine } from '@proj/engine';
import { Client } from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';

import { exported } from '../exported.ts';
import { open } from '../open.ts';
import { usePostgres } from './server.ts';

/** Each pair of rows adds up to nothing, and neighbours in the order of the key are a pair. */
const SQL = `create table pairs (pair int, side int, amount bigint not null, primary key (pair, side));
  insert into pairs select pair, side, case side when 0 then pair else -pair end
    from generate_series(1, 200, 2) pair, generate_series(0, 1) side;
  create materialized view kept_pairs as select * from pairs;`;

describe('an export of PostgreSQL under concurrent writes', () => {
  const postgres = usePostgres(SQL);
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(postgres().url, { models: { kept_pairs: { key: ['pair', 'side'] } } });
  });

  it('has whole lists of one state, of a table and of a materialised view that is refreshed', async () => {
    const writers = [write(postgres().url), write(postgres().url), refresh(postgres().url)];
    try {
      for (const model of ['pairs', 'kept_pairs']) {
        const totals = new Set<bigint>();
        for (let tries = 0; tries < 30 || totals.size < 5; tries++) {
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
