import type { Engine } from '@proj/engine';
import { expect, it } from 'vitest';

import { databaseFile } from '../../../sqlite/test/database-file.ts';
import { deepPagesOf } from '../index-builds.ts';
import { recordsOf } from '../lists.ts';
import { ask, open } from '../open.ts';

/** Of three names two differ from the one before them behind a NUL alone, where Node 22 cuts them. */
const SCRIPT = `
  create table notes (name text primary key, id int not null, at datetime) without rowid;
  with recursive n (i) as (select 1 union all select i + 1 from n where i < 4000)
  insert into notes select printf('%04d', i / 3) || case i % 3 when 0 then '' else char(0) || 'É' || (i % 3) end, i,
    case when i < 3 then '2026-01-01' || char(0) || i end from n`;

/** All names in their order. */
const NAMES = Array.from({ length: 4000 }, (_, index) => {
  const [number, rest] = [Math.floor((index + 1) / 3), (index + 1) % 3];
  return `${number}`.padStart(4, '0') + (rest === 0 ? '' : `\0É${rest}`);
});

const LIST = { model: 'notes', attributes: ['name'] };

async function namesWhere(engine: Engine, query_filter: object): Promise<unknown[]> {
  const request = { query_model: 'notes', query_attributes: ['name'], query_filter };
  return (await recordsOf(engine, request)).map(({ name }) => name);
}

it.each(['UTF-8', 'UTF-16le', 'UTF-16be'])(
  'texts of SQLite in %s are compared behind a NUL too, without regard to case and as dates that are none',
  async (encoding) => {
    const engine = await open(
      `sqlite:${databaseFile(`pragma encoding = '${encoding}'; ${SCRIPT}`)}`,
    );
    const icontains = { attribute: 'name', op: 'icontains', value: '150\0é' };
    expect(await namesWhere(engine, icontains)).toEqual([
      '0150\0É1',
      '0150\0É2',
      '1150\0É1',
      '1150\0É2',
    ]);
    const others = { ...icontains, value: '150\0ê' };
    expect(await namesWhere(engine, others)).toEqual([]);
    const begin = { attribute: 'name', op: 'starts_with', value: '0150' };
    const behind = { and: [begin, { ...icontains, value: 'é1' }] };
    expect(await namesWhere(engine, behind)).toEqual(['0150\0É1']);
    const day = { attribute: 'at', op: 'eq', value: '2026-01-01\u00002' };
    expect(await namesWhere(engine, day)).toEqual(['0000\0É2']);
  },
);

it('deep pages of SQLite are exact in the order of texts with a NUL', async () => {
  const engine = await open(`sqlite:${databaseFile(SCRIPT)}`, {
    acceleration: { pageIndexMinOffset: 100, replyCache: false },
  });
  await deepPagesOf(engine, { model: 'notes', sort: ['name'] });
  for (const page of [20, 150, 151, 399, 400]) {
    const { records } = await ask(engine, { ...LIST, sort: ['name'], page, size: 10 });
    expect(records.map(({ name }) => name)).toEqual(NAMES.slice(page * 10 - 10, page * 10));
  }
});
