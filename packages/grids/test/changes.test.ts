import { Grant } from '@proj/engine';
import type { DynamicQueryClient } from '@proj/client';
import type { GridChange } from '@proj/grids';
import { muiDataSource } from '@proj/grids/mui-x';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { ADAPTERS, type GridList } from './adapters.ts';
import { clientOf, engineOf } from './client-of-app.ts';
import { type ItemDatabase, SQLITE } from './item-databases.ts';

/** The view has no version. */
const MODELS = { notes: {}, moments: { key: ['id'] } } as const;

/** Who sees not all rows does not see the version of the data. */
const ROWS = { attribute: 'id', op: 'gt', value: 0 } as const;
const CLERK = new Grant(new Map([['notes', { attributes: 'all', rowPolicy: ROWS }]]));

let run: ItemDatabase['run'];
let client: DynamicQueryClient;
let clerk: DynamicQueryClient;

beforeAll(async () => {
  const database = await SQLITE.create();
  ({ run } = database);
  await run(`pragma journal_mode = wal;
    create table notes (id integer primary key, kind integer not null);
    create view moments as select id, kind, datetime('now') as moment from notes;`);
  const often = { watchCheckMs: 100, watchReadMs: 1000 };
  const engine = await engineOf({ database: database.url, models: MODELS, ...often });
  [client, clerk] = await Promise.all([clientOf(engine), clientOf(engine, CLERK)]);
});

beforeEach(async () => run('delete from notes; insert into notes values (1, 1), (2, 1), (3, 2)'));

/** Watches a list; what it says is in the array as it comes. */
function said({ watch }: GridList): { texts: (string | undefined)[]; end: () => void } {
  const texts: (string | undefined)[] = [];
  const listener = (change: GridChange | null) => void texts.push(change?.text);
  const end = watch(listener, { everyMs: 100 });
  onTestFinished(end);
  return { texts, end };
}

/** The notes whose kind is no less. */
const ofKind = (kind: number) => ({ atLeast: ['kind', kind] }) as const;

describe.each(Object.entries(ADAPTERS))('a list of %s', (_name, open) => {
  it('says how it has changed since it was read, until it is read again', async () => {
    const list = open(client, { model: 'notes' });
    await list.read(ofKind(1));
    const { texts, end } = said(list);
    await run('insert into notes values (4, 1), (5, 1)');
    await expect.poll(() => texts.at(-1)).toBe('2 more');
    await list.read(ofKind(1));
    expect(texts.at(-1)).toBeUndefined();
    await run('update notes set id = 9 where id = 5');
    await expect.poll(() => texts.at(-1)).toBe('changed');
    await list.read(ofKind(2));
    expect(texts.at(-1)).toBeUndefined();
    await run('delete from notes where kind = 2');
    await expect.poll(() => texts.at(-1)).toBe('1 fewer');
    end();
    const { length } = texts;
    const other = said(list);
    await run('insert into notes values (10, 2), (11, 2)');
    await expect.poll(() => other.texts.at(-1)).toBe('1 more');
    expect(texts).toHaveLength(length);
  });
});

const FIRST = { start: 0, size: 2 } as const;
const SECOND = { start: 2, size: 2 } as const;

/** The grid of MUI X that loads rows as they are scrolled to: its page stays the first one. */
const lazyMui: (typeof ADAPTERS)['MUI X Data Grid'] = (whose, options) => {
  const source = muiDataSource(whose, options);
  return {
    watch: source.watch,
    read: async ({ start = 0, size = 10 } = {}) => {
      const { rows, rowCount } = await source.getRows({
        sortModel: [],
        filterModel: { items: [] },
        paginationModel: { page: 0, pageSize: size },
        start,
        end: start + size - 1,
      });
      return { rows, total: rowCount };
    },
  };
};

it.each([
  ['AG Grid’s infinite rows', ADAPTERS['AG Grid’s infinite rows']],
  ['AG Grid’s server-side rows', ADAPTERS['AG Grid’s server-side rows']],
  ['MUI X Data Grid’s lazily loaded rows', lazyMui],
])(
  '%s, beside older blocks, have changed until one of these is read again',
  async (_name, open) => {
    const list = open(client, { model: 'notes' });
    await list.read(FIRST);
    const { texts } = said(list);
    await run('insert into notes values (4, 1)');
    await expect.poll(() => texts.at(-1)).toBe('1 more');
    await list.read(SECOND);
    expect(texts.at(-1)).toBe('1 more');
    await list.read(FIRST);
    expect(texts.at(-1)).toBeUndefined();
    await list.read(SECOND);
    await run('insert into notes values (5, 1)');
    await expect.poll(() => texts.at(-1)).toBe('1 more');
    await list.read(SECOND);
    expect(texts.at(-1)).toBeUndefined();
  },
);

it.each(['MUI X Data Grid', 'react-admin', 'Refine', 'TanStack Table'] as const)(
  '%s, which shows one page, is up to date with the next one that is read',
  async (name) => {
    const list = ADAPTERS[name](client, { model: 'notes' });
    await list.read(FIRST);
    const { texts } = said(list);
    await run('insert into notes values (4, 1)');
    await expect.poll(() => texts.at(-1)).toBe('1 more');
    await list.read(SECOND);
    expect(texts.at(-1)).toBeUndefined();
  },
);

it('a list says that it has changed where the token sees no version of the data', async () => {
  const list = ADAPTERS['MUI X Data Grid'](clerk, { model: 'notes' });
  await list.read(ofKind(1));
  const { texts } = said(list);
  await run('insert into notes values (4, 1)');
  await expect.poll(() => texts.at(-1)).toBe('1 more');
  await list.read(ofKind(1));
  expect(texts.at(-1)).toBeUndefined();
  await run('update notes set id = 9 where id = 4');
  await expect.poll(() => texts.at(-1)).toBe('changed');
});

it('a list whose data has no version says what the service finds when it reads the list', async () => {
  const list = ADAPTERS['MUI X Data Grid'](client, { model: 'moments' });
  const { texts } = said(list);
  expect((await list.read()).total).toBe(3);
  await run('insert into notes values (4, 1)');
  await expect.poll(() => texts.at(-1)).toBe('1 more');
});
