import {
  catalogueEntry,
  type Engine,
  EVERYTHING,
  Grant,
  InvalidQueryError,
  type ModelSettings,
} from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { fixturesOf } from '../fixtures/index.ts';
import { followStatements } from '../followed-statements.ts';
import { deepPagesOf } from '../index-builds.ts';
import { open } from '../open.ts';

const FIXTURES = fixturesOf(import.meta.filename);

type Key = Readonly<Record<string, unknown>>;

/** A list, of which the pages of all records are asked for. */
interface List {
  readonly model: string;
  readonly key: readonly string[];
  readonly sort?: readonly object[];
  readonly filter?: unknown;
}

const LONG_LIST = 6000;

const MODELS: Readonly<Record<string, ModelSettings>> = {
  parts: {},
  twice: { source: 'parts', attributes: { shelf: {}, again: { column: 'shelf' } } },
  doubles: { key: ['name'] },
  moments: { attributes: { at: { type: 'timestamp' } } },
};

/** A copy of the long list of which two statements need not see one state. */
const WITHOUT_SNAPSHOTS: Readonly<Record<string, readonly string[]>> = {
  PostgreSQL: [
    'create materialized view copied as select * from long_list',
    'create unique index on copied (id)',
  ],
  MariaDB: [
    'create table copied (id int not null primary key, few int not null) engine = myisam',
    'insert into copied select * from long_list',
  ],
};

const SHELVES = [{ attribute: 'grade', direction: 'desc', nulls: 'last' }, { attribute: 'name' }];

describe.each(FIXTURES)('the page that holds a record, on $name', (fixture) => {
  let engine: Engine;

  beforeAll(async () => {
    const { int32, prose, timestamp } = fixture.columnTypes;
    const database = await fixture.create();
    const names = ['b', 'B', 'ä', 'a', 'Z', 'é', 'e', 'E', '', 'a b'];
    const parts = Array.from({ length: 60 }, (_, index) => {
      const name = fixture.literal(names[index % names.length] ?? '', 'prose');
      const [shelf, place] = [`'s${index % 7}'`, Math.floor(index / 7)];
      return `(${shelf}, ${place}, ${name}, ${index % 3 === 0 ? 'null' : index % 5})`;
    });
    const doubles = ['a', 'b', 'b', 'b', 'c', 'c'].map((name, index) => `('${name}', ${index})`);
    const long = Array.from({ length: LONG_LIST }, (_, index) => `(${index + 1}, ${index % 11})`);
    const days = Array.from({ length: 9 }, (_, index) => {
      return `(${index + 1}, ${fixture.literal(`2026-01-0${9 - index}T00:00:00`, 'timestamp')})`;
    });
    await database.execute([
      `create table parts (shelf varchar(20) not null, place ${int32} not null, name ${prose}, grade ${int32}, primary key (shelf, place))`,
      `insert into parts values ${parts.join(', ')}`,
      `create table doubles (name varchar(20) not null, nr ${int32} not null)`,
      `insert into doubles values ${doubles.join(', ')}`,
      `create table long_list (id ${int32} not null primary key, few ${int32} not null)`,
      'create index long_list_by_few on long_list (few, id)',
      `insert into long_list values ${long.join(', ')}`,
      `create table moments (id ${int32} not null primary key, ${fixture.identifier('at')} ${timestamp})`,
      `insert into moments values ${days.join(', ')}`,
      ...(WITHOUT_SNAPSHOTS[fixture.family] ?? []),
    ]);
    const copied = fixture.family in WITHOUT_SNAPSHOTS ? { copied: { key: ['id'] } } : {};
    const models = { ...MODELS, ...copied, ...(!fixture.declaresTypes && { moments: {} }) };
    const acceleration = { pageIndexMinOffset: 200, replyCache: false };
    engine = await open(database.url, { models, acceleration });
  });

  it.each<[string, List]>([
    ['by a key of two parts', { model: 'parts', key: ['shelf', 'place'] }],
    ['downwards, with NULL last', { model: 'parts', key: ['shelf', 'place'], sort: SHELVES }],
    ['by texts as the database orders them', byName('asc', 'first')],
    ['by texts downwards, NULL being the largest value', byName('desc', 'first')],
    [
      'by the largest grade of some shelves',
      {
        model: 'parts',
        key: ['shelf', 'place'],
        sort: [{ attribute: 'grade', direction: 'desc' }],
        filter: { attribute: 'shelf', op: 'in', value: ['s1', 's3', 's4'] },
      },
    ],
    ['by times', { model: 'moments', key: ['id'], sort: [{ attribute: 'at' }] }],
  ])('is the one that has it in the whole list %s', async (_what, list) => {
    await expect(checkEachPage(list)).resolves.toBeUndefined();
  });

  it('is that of the first record in order where a declared key is not unique', async () => {
    const sort = [{ attribute: 'nr', direction: 'desc' }];
    const pageOf = (name: string) => ask({ model: 'doubles', key: [], sort }, { name }, 1);
    expect(await pageOf('a')).toMatchObject({ page: { page: '6' } });
    expect(await pageOf('b')).toMatchObject({ page: { page: '3' } });
    expect(await pageOf('c')).toMatchObject({ page: { page: '1' } });
  });

  it('is refused alike for a record that is filtered out, hidden or nowhere, after the same statements', async () => {
    const filter = { attribute: 'id', op: 'ne', value: 7 };
    const rowPolicy = { attribute: 'id', op: 'ne', value: 8 } as const;
    const grant = new Grant(new Map([['long_list', { attributes: 'all', rowPolicy }]]));
    const list: List = { model: 'long_list', key: ['id'], filter };
    const statements = followStatements();
    const outcomes = [];
    for (const id of [7, 8, -1]) {
      statements.length = 0;
      const error: unknown = await ask(list, { id }, 10, grant).catch((reason: unknown) => reason);
      const texts = statements.map(({ text }) => text).filter((text) => text.includes('long_list'));
      outcomes.push({ errors: (error as InvalidQueryError).errors, texts });
    }
    const [first] = outcomes;
    expect(first?.errors).toEqual([
      {
        pointer: '/page/containing',
        code: 'record_not_in_list',
        detail: '/page/containing: the list has no record with this key.',
      },
    ]);
    expect(first?.texts.length).toBeGreaterThan(0);
    expect(outcomes).toEqual([first, first, first]);
    expect(await ask(list, { id: 9 }, 10, grant)).toMatchObject({ page: { total: '5998' } });
  });

  it('is refused where a part of the key is shown twice', async () => {
    const listed = catalogueEntry(engine.catalogue, EVERYTHING, 'twice');
    expect(listed?.key).toEqual(['again', 'place']);
    const asked = ask({ model: 'twice', key: [] }, { shelf: 's1', place: 1 }, 10);
    const detail = expect.stringContaining('a part of its key is shown by two attributes');
    await expect(asked).rejects.toMatchObject({ errors: [{ code: 'no_visible_key', detail }] });
  });

  it('is found through the page index of its list, few records being counted', async () => {
    const list = { model: 'long_list', sort: ['few'] };
    const statements = followStatements();
    const sort = [{ attribute: 'few' }];
    const askAll = async (): Promise<void> => {
      for (const id of [1, 2, 11, 12, 3000, 5999, 6000]) {
        const before = Array.from({ length: LONG_LIST }, (_, index) => index + 1).filter(
          (other) => {
            const [few, otherFew] = [(id - 1) % 11, (other - 1) % 11];
            return otherFew < few || (otherFew === few && other < id);
          },
        );
        const page = String(Math.floor(before.length / 10) + 1);
        const found = await ask({ model: 'long_list', key: ['id'], sort }, { id }, 10);
        expect(found.page).toMatchObject({ page, total: String(LONG_LIST) });
        expect(found.records.some((record) => String(record['id']) === String(id))).toBe(true);
      }
    };
    // What the server writes by itself, such as by autovacuum, makes an index outdated.
    await expect
      .poll(async () => {
        if ((await deepPagesOf(engine, list)).built !== 1) return 0;
        statements.length = 0;
        await askAll();
        const counts = statements.filter(({ text }) => /^\s*select count\(\*\) from/.test(text));
        // From a key on, and not from the beginning of the list.
        return counts.filter(({ text }) => />=/.test(text)).length;
      })
      .toBeGreaterThanOrEqual(5);
  });

  it.skipIf(WITHOUT_SNAPSHOTS[fixture.family] === undefined)(
    'is found in one statement where two need not see one state, as in no table of SQLite',
    async () => {
      const statements = followStatements();
      const sort = [{ attribute: 'few', direction: 'desc' }];
      const list: List = { model: 'copied', key: ['id'], sort };
      for (const id of [1, 11, 5999]) {
        const found = await ask(list, { id }, 10);
        const same = await ask({ ...list, model: 'long_list' }, { id }, 10);
        expect(found).toEqual(same);
      }
      const missing: unknown = await ask(list, { id: 0 }, 10).catch((reason: unknown) => reason);
      expect((missing as InvalidQueryError).errors).toMatchObject([{ code: 'record_not_in_list' }]);
      const texts = statements.map(({ text }) => text).filter((text) => text.includes('copied'));
      expect(texts.length).toBe(4);
    },
  );

  async function checkEachPage(list: List): Promise<void> {
    const attributes = list.key;
    const whole = await engine.query(bodyOf(list, { page: 1, size: 1000 }), EVERYTHING);
    const records = JSON.parse(whole.result) as Key[];
    expect(records.length).toBeGreaterThan(5);
    for (const [place, record] of records.entries()) {
      const size = 1 + (place % 9);
      const key = Object.fromEntries(attributes.map((name) => [name, record[name]]));
      const found = await ask(list, key, size);
      const page = Math.floor(place / size);
      expect(found.records).toEqual(records.slice(page * size, (page + 1) * size));
      expect(found.page.page).toBe(String(page + 1));
    }
  }

  async function ask(list: List, containing: Key, size: number, grant = EVERYTHING) {
    const { result, page } = await engine.query(bodyOf(list, { containing, size }), grant);
    return { records: JSON.parse(result) as Key[], page };
  }
});

function bodyOf({ model, key, sort, filter }: List, page: unknown): unknown {
  const attributes = { doubles: ['nr'], long_list: ['id'], twice: ['place'] }[model];
  return {
    query_model: model,
    query_attributes: key.length > 0 ? key : (attributes ?? ['shelf']),
    page,
    ...(sort && { query_sort: sort }),
    ...(filter !== undefined && { query_filter: filter }),
  };
}

function byName(direction: string, nulls: string): List {
  const sort = [{ attribute: 'name', direction, nulls }];
  return { model: 'parts', key: ['shelf', 'place'], sort };
}
