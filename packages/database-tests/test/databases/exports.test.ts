import { type Engine, EVERYTHING, QueryFailedError } from '@proj/engine';
import { beforeRelease, eachNth, SEED } from '@proj/test-servers';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

import { type Exported, exported } from '../exported.ts';
import type { FixtureDatabase } from '../fixtures/fixture.ts';
import { fixturesOf } from '../fixtures/index.ts';
import { open } from '../open.ts';
import { bodyOf } from './everywhere.ts';
import { anyRequest } from './oracle-requests.ts';
import { type Asked, expectTruths, grantOf, TABLE, type Truth, truthsOf } from './oracle-run.ts';
import { createTable, modelSettings, type Table } from './tables.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const REQUESTS = beforeRelease ? 600 : 30;

/** Larger than all that is on its way between a database and a caller. */
const LARGE: Table = {
  name: 'large',
  columns: { word: 'prose' },
  rows: Array.from({ length: 4000 }, (_, index) => [`${index} `.padEnd(500, 'ä')]),
};

const asked = fc.sample(fc.record({ request: anyRequest, hasPolicy: fc.boolean() }), {
  numRuns: REQUESTS,
  seed: SEED,
});

describe.each(eachNth(2, FIXTURES))(`whole lists on $name (seed ${SEED})`, (fixture) => {
  let database: FixtureDatabase;
  let engine: Engine;
  /** One list of it is exported at a time. */
  let single: Engine;

  beforeAll(async () => {
    database = await fixture.create();
    // Otherwise a reader keeps others from writing.
    if (fixture.name === 'SQLite') await write('pragma journal_mode = wal');
    await createTable(fixture, database, TABLE);
    await createTable(fixture, database, LARGE);
    await createTable(fixture, database, { name: 'empty', columns: {}, rows: [] });
    await createTable(fixture, database, { name: 'passing', columns: {}, rows: [[]] });
    engine = await openWith({ exports: 8 });
    single = await openWith({ exports: 1 });
  });

  it(`are those of SQL written by hand, and the text of their pages, in ${REQUESTS} random requests`, async () => {
    const lists = asked.map(({ request, hasPolicy }) => {
      return { request: { ...request, page: 1, size: 1000 }, hasPolicy };
    });
    const truths = await truthsOf(fixture, database, lists);
    await expect(expectTruths(asked, truths, askBeside)).resolves.toBeUndefined();
  });

  it('are of one state, while others write', async () => {
    const wanted = await exportOf('large');
    const text = fixture.literal('written meanwhile', 'prose');
    const during = await exported(engine, LARGE_LIST, {
      onProgress: async (records) => {
        if (records > 0) return;
        await write(`update large set word = ${text} where id > 3000`);
        await write('delete from large where id < 500');
      },
    });
    expect([during.total, during.result === wanted.result]).toEqual([4000n, true]);
    const after = await exportOf('large');
    expect(after.total).toBe(3501n);
    expect(after.records.at(-1)).toEqual({ id: 4000, word: 'written meanwhile' });
  });

  it('are read no faster than they are taken', async () => {
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    const { promise: waiting, resolve: note } = Promise.withResolvers<void>();
    let most = 0;
    const slow = exported(engine, LARGE_LIST, {
      onProgress: async (records) => {
        most = records;
        if (records === 0) return;
        note();
        await gate;
      },
    });
    await waiting;
    // Pages go on meanwhile, on connections of their own.
    for (let page = 1; page < 20; page++)
      await engine.query(bodyOf({ model: 'things', page, size: 2 }), EVERYTHING);
    expect(most).toBeLessThan(1000);
    release();
    expect((await slow).records).toHaveLength(3501);
  });

  it('end with the error of whoever takes them, and leave the connection to others', async () => {
    for (const failsAt of [0, 1]) {
      const refusal = new Error('no more');
      const failed = exported(single, LARGE_LIST, {
        onProgress: (records) => {
          if (Math.sign(records) === failsAt) throw refusal;
        },
      });
      await expect(failed).rejects.toBe(refusal);
    }
    expect((await exported(single, { model: 'things' })).total).toBe(120n);
  });

  it('end when the caller disconnects, whether or not it takes anything', async () => {
    for (const takes of [true, false]) {
      const controller = new AbortController();
      const ended = exported(single, LARGE_LIST, {
        signal: controller.signal,
        onProgress: async (records) => {
          if (records === 0) return;
          controller.abort();
          if (!takes) await new Promise(() => undefined);
        },
      });
      await expect(ended).rejects.toMatchObject({ code: 'cancelled' });
    }
    expect((await exported(single, { model: 'things' })).total).toBe(120n);
  });

  it('end at their own time limit, which is not that of queries', async () => {
    const hasty = await openWith({ exports: 1, exportTimeoutMs: 300, queryTimeoutMs: 300_000 });
    const never = exported(hasty, LARGE_LIST, {
      onProgress: async (records) => {
        if (records > 0) await new Promise(() => undefined);
      },
    });
    await expect(never).rejects.toMatchObject({ code: 'query_timeout' });
  });

  it('wait for each other where there are more than may run', async () => {
    let running = 0;
    const counting = async (records: number): Promise<void> => {
      if (records === 0) running += 1;
      expect(running).toBe(1);
      await engine.ping();
      if (records === 120) running -= 1;
    };
    const all = [1, 2, 3, 4].map((caller) =>
      exported(single, { model: 'things' }, { onProgress: counting, caller: String(caller) }),
    );
    expect((await Promise.all(all)).map(({ total }) => total)).toEqual([120n, 120n, 120n, 120n]);
  });

  it('leave a place to other callers, however slowly those of one are read', async () => {
    const two = await openWith({ exports: 2, processes: 1 });
    const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const onProgress = async (): Promise<void> => {
      begun.resolve();
      await released.promise;
    };
    const slow = [1, 2].map(() =>
      exported(two, { model: 'things' }, { caller: 'slow', onProgress }),
    );
    await begun.promise;
    expect((await exported(two, { model: 'things' }, { caller: 'other' })).total).toBe(120n);
    released.resolve();
    await Promise.allSettled(slow);
  });

  it('are read again with the new schema where that has changed before the first record', async () => {
    expect((await exportOf('passing')).total).toBe(1n);
    await write('drop table passing');
    const gone = exportOf('passing');
    await expect(gone).rejects.toThrow(QueryFailedError);
    await expect(gone).rejects.toMatchObject({ code: 'model_unavailable' });
    await createTable(fixture, database, { name: 'passing', columns: {}, rows: [[], []] });
    expect((await exportOf('passing')).total).toBe(2n);
  });

  const LARGE_LIST = { model: 'large', attributes: ['id', 'word'] };

  function exportOf(model: string): Promise<Exported> {
    return exported(engine, model === 'large' ? LARGE_LIST : { model });
  }

  function openWith(settings: Parameters<typeof open>[1]): Promise<Engine> {
    return open(database.url, { models: modelSettings(fixture, [TABLE, LARGE]), ...settings });
  }

  function write(statement: string): Promise<unknown> {
    return database.execute([statement]);
  }

  /** What the engine gives, and what it should give. */
  async function askBeside(one: Asked, [total, ...ids]: Truth) {
    const grant = grantOf(one);
    const list = { model: TABLE.name, ...one.request };
    const body = bodyOf({ ...list, page: 1, size: 1000 });
    const before = await engine.query(body, grant);
    const whole = await exported(engine, list, { grant });
    const page = await engine.query(body, grant);
    // Others may write to the same server meanwhile, by which the versions move.
    const isAtRest = before.version !== undefined && before.version === page.version;
    return {
      given: {
        ids: whole.records.map(({ id }) => id),
        text: whole.result,
        total: whole.total,
        version: isAtRest ? (whole.version ?? page.version) : undefined,
      },
      right: {
        ids,
        text: page.result,
        total: BigInt(total),
        version: isAtRest ? page.version : undefined,
      },
      request: `seed ${SEED}, ${JSON.stringify(one)}`,
    };
  }
});
