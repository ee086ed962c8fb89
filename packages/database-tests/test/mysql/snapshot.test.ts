import type { Engine } from '@proj/engine';
import { beforeRelease, eachNth } from '@proj/test-servers';
import { createConnection } from 'mysql2/promise';
import { beforeAll, expect, it, onTestFinished } from 'vitest';

import { askFacets } from '../databases/checked-facets.ts';
import { exported } from '../exported.ts';
import { ask, open } from '../open.ts';
import { outcome } from '../outcome.ts';
import { describeMariadb, useMariadb } from './mariadb.ts';

/** Tables of these are locked while they are read. */
const LOCKED = eachNth(3, ['MyISAM', 'Aria', 'MEMORY'] as const);
const ENGINES = ['InnoDB', ...LOCKED] as const;

/** How often each reply is asked for beside a writer, or until it has had so many states. */
const TRIES = beforeRelease ? 150 : 30;
const STATES = 6;
const SIZE = 20;

const SQL = ENGINES.map(
  (engine) => `create table t_${engine} (id int primary key, total int not null) engine = ${engine};
    insert into t_${engine} select seq, 0 from seq_1_to_50;`,
).join('\n');

describeMariadb('a page of MariaDB under concurrent writes', () => {
  const mariadb = useMariadb(SQL);
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(mariadb().url);
  });

  /** Reads beside a writer until it has seen so many totals. Returns how many. */
  async function besideWriter(
    storage: string,
    read: () => Promise<readonly unknown[]>,
  ): Promise<number> {
    const writer = write(mariadb().url, `t_${storage}`);
    const totals = new Set<unknown>();
    for (let tries = 0; tries < TRIES || totals.size < STATES; tries++)
      for (const total of await read()) totals.add(total);
    await writer.stop();
    return totals.size;
  }

  // The rows are numbered without gaps, from 1.
  it.each(ENGINES)('is exact on %s: the rows and the total are from one state', async (storage) => {
    await besideWriter(storage, async () => {
      const asked = [1, 3, 4, 9].map(async (page) => {
        const list = { model: `t_${storage}`, attributes: ['id'], page, size: SIZE };
        const { records, page: found } = await ask(engine, list);
        const before = (page - 1) * SIZE;
        expect(records).toHaveLength(Math.max(0, Math.min(SIZE, Number(found.total) - before)));
        expect(records.map(({ id }) => id)).toEqual(records.map((_, place) => before + place + 1));
        return found.total;
      });
      return Promise.all(asked);
    });
  });

  it.each(ENGINES)('has whole lists of one state on %s', async (storage) => {
    await besideWriter(storage, async () => {
      const { records, total } = await exported(engine, { model: `t_${storage}` });
      const numbered = Array.from({ length: Number(total) }, (_, place) => ({ id: place + 1 }));
      expect(records).toEqual(numbered);
      return [total];
    });
  });

  it.each(ENGINES)('has facets of one state on %s', async (storage) => {
    const facets = [
      { attribute: 'id', values: 1000, sort: 'value' },
      { attribute: 'total', values: 1 },
    ];
    await besideWriter(storage, async () => {
      const { facets: found, total } = await askFacets(engine, { model: `t_${storage}`, facets });
      expect(found[0]).toMatchObject({ distinct: total, min: 1, max: Number(total) });
      expect(found[1]?.values).toEqual([{ value: 0, count: total }]);
      return [total];
    });
  });

  it('has bins of the state that their ends are of, where a table has snapshots', async () => {
    const seen = await besideWriter('InnoDB', async () => [await checkedBins(engine, 't_InnoDB')]);
    expect(seen).toBeGreaterThanOrEqual(STATES);
  });

  it.each(LOCKED)(
    'has such bins on %s too, or is refused where the ends change all the time',
    async (storage) => {
      const writer = write(mariadb().url, `t_${storage}`);
      const outcomes = new Set<string>();
      for (let tries = 0; tries < TRIES; tries++)
        outcomes.add(await outcome(checkedBins(engine, `t_${storage}`)));
      await writer.stop();
      outcomes.delete('answered');
      expect([[], ['database_unavailable']]).toContainEqual([...outcomes]);
      expect(Number(await checkedBins(engine, `t_${storage}`))).toBeGreaterThan(49);
    },
  );
});

/** Asks for bins of rows that are numbered without gaps, from 1. Returns the total. */
async function checkedBins(engine: Engine, model: string): Promise<string> {
  const facets = [{ attribute: 'id', bins: 7 }];
  const { facets: found, total } = await askFacets(engine, { model, facets });
  const sum = (BigInt(total) * (BigInt(total) + 1n)) / 2n;
  expect(found[0]).toMatchObject({ min: 1, max: Number(total), sum: String(sum), others: '0' });
  const counted = found[0]?.bins?.reduce((all, { count }) => all + Number(count), 0);
  expect(counted).toBe(Number(total));
  return total;
}

/**
 * Adds rows at the end and takes them away again, up to a hundred, each by a statement of its own.
 */
function write(url: string, table: string): { stop(): Promise<void> } {
  const stopping = new AbortController();
  // Where a test fails, the next one has the table to itself.
  onTestFinished(() => {
    stopping.abort();
    return work;
  });
  const work = (async () => {
    const connection = await createConnection(url);
    await connection.query(`delete from ${table} where id > 50`);
    for (let id = 51; !stopping.signal.aborted; id = id === 100 ? 51 : id + 1) {
      await connection.query(`insert into ${table} (id, total) values (${id}, 0)`);
      if (id === 100) await connection.query(`delete from ${table} where id > 60`);
      if (id === 100) await connection.query(`delete from ${table} where id > 50`);
    }
    await connection.end();
  })();
  return {
    stop: () => {
      stopping.abort();
      return work;
    },
  };
}
