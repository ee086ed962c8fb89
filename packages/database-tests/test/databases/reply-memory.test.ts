import { type Engine, EVERYTHING, ReplyMemory } from '@proj/engine';
import { until } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import type { FixtureDatabase } from '../fixtures/fixture.ts';
import { fixturesOf } from '../fixtures/index.ts';
import { open } from '../open.ts';
import { bodyOf } from './everywhere.ts';
import { wideRows } from './wide-view.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const MIB = 2 ** 20;
const ROWS = 40;
const CELL_BYTES = 100_000;

type Ask = (model?: string) => ReturnType<Engine['query']>;

describe.each(FIXTURES)('large replies on $name', (fixture) => {
  let database: FixtureDatabase;

  beforeAll(async () => {
    database = await fixture.create();
    await database.execute([
      `create view large as ${wideRows(fixture, ROWS, CELL_BYTES)}`,
      'create view small as select 1 as id, 2 as cell',
    ]);
  });

  async function start(waitMs: number): Promise<{ memory: ReplyMemory; ask: Ask }> {
    const memory = new ReplyMemory({ bytes: 32 * MIB, waitMs });
    const models = { large: { key: ['id'] }, small: { key: ['id'] } };
    const settings = { models, replyMemory: memory, processes: 1 };
    const engine = await open(database.url, settings);
    const ask: Ask = (model = 'large') =>
      engine.query(bodyOf({ model, attributes: ['cell'], size: ROWS }), EVERYTHING);
    return { memory, ask };
  }

  it('wait for memory while they arrive, are whole, and give it back', async () => {
    const { memory, ask } = await start(60_000);
    const release = await memory.hold(8 * MIB);
    const asked = ask();
    await until(() => memory.waiting === 1);
    expect((await ask('small')).facts.rows).toBe(1);
    release();
    const { result } = await asked;
    const records = JSON.parse(result) as { readonly cell: string }[];
    expect(records.map(({ cell }) => cell.length)).toEqual(Array(ROWS).fill(CELL_BYTES));
    await until(() => memory.used === 0);
  });

  it('are refused when others have the memory for too long, and the next one is answered', async () => {
    const { memory, ask } = await start(100);
    const release = await memory.hold(8 * MIB);
    await expect(ask()).rejects.toMatchObject({ code: 'overloaded' });
    release();
    expect((await ask()).facts.rows).toBe(ROWS);
    await until(() => memory.used === 0);
  });
});
