import { type Engine, EVERYTHING } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { databaseFile } from '../../../sqlite/test/database-file.ts';
import { askFacets } from '../databases/checked-facets.ts';
import { exported } from '../exported.ts';
import { recordsOf } from '../lists.ts';
import { open } from '../open.ts';

const SCRIPT = `
  create table words (id integer primary key, part int, a text collate nocase, b text collate rtrim, c text);
  insert into words (part, a, b, c) values
    (1, 'k', 'k  ', 'k'), (1, 'K', 'k', 'K'), (1, 'L', 'j ', 'L'),
    (2, 'L', 'j', 'L'), (2, 'K', 'k', 'K'), (2, 'k', 'k  ', 'k'),
    (3, x'00', null, 1), (3, null, null, null), (4, null, null, null),
    (5, 'x' || char(0) || 'b', 'x' || char(0), 'x'), (5, 'X', 'x', 'X');
  create view "many words" as
    select id, part, a collate rtrim as a, b collate nocase as b, c from words where part < 3;
  create view joined as with recursive r (id) as (select 1 union all select id + 1 from r)
    select id, 'A' collate nocase as a from r;`;

/** The first and the last text of each column in each group. */
const FOUND = [
  ['1', 'K', 'L', 'j ', 'k  ', 'K', 'k'],
  ['2', 'K', 'L', 'j', 'k  ', 'K', 'k'],
  ['3', 'AA==', 'AA==', null, null, '1', '1'],
  ['4', null, null, null, null, null, null],
  ['5', 'X', 'x\0b', 'x', 'x\0', 'X', 'x'],
];

const NAMES = ['a', 'b', 'c'].flatMap((name) => [`${name}.min`, `${name}.max`]);

const QUESTION = {
  query_attributes: ['part', ...NAMES.map((name) => name.replace('.', '_'))],
  query_groups: ['part'],
  query_aggregates: NAMES.map((name) => {
    const [attribute, op] = name.split('.');
    return { name: name.replace('.', '_'), op, attribute };
  }),
};

const texts = (rows: readonly unknown[][]): string[] => rows.map((row) => JSON.stringify(row));

const collationsIn = ({ catalogue }: Engine, model: string): unknown[] =>
  [...(catalogue.get(model)?.attributes.values() ?? [])].map(({ collation }) => collation);

describe('the first and the last text of groups on SQLite', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(`sqlite:${databaseFile(SCRIPT)}`, {
      models: {
        words: {},
        joined: { key: ['id'] },
        'many words': { key: ['id'] },
        computed: {
          source: 'words',
          attributes: Object.fromEntries(
            ['a', 'b', 'c'].map((name) => [name, { sql: `t.${name}`, type: 'text' as const }]),
          ),
        },
        selected: { sql: 'select id, part, a, b, c from words', key: ['id'] },
        endless: {
          sql: `with recursive r (id) as (select 1 union all select id + 1 from r)
            select id, 'A' collate nocase as a from r`,
          key: ['id'],
        },
      },
    });
  });

  it.each(['words', 'computed', 'selected'])(
    'are those of the collation, and of equal ones those of the least and the greatest bytes: %s',
    async (model) => {
      const { query_attributes: attributes, ...grouping } = QUESTION;
      const page = { page: 1, size: 10 };
      const { result } = await engine.query({ ...QUESTION, query_model: model, page }, EVERYTHING);
      const records = JSON.parse(result) as Record<string, unknown>[];
      expect(texts(records.map((record) => Object.values(record)))).toEqual(texts(FOUND));
      const whole = await exported(engine, { model, attributes, grouping });
      expect(whole.records).toEqual(records);
    },
  );

  it('are found in views with the collation that a view gives a column', () => {
    expect(collationsIn(engine, 'words')).toEqual([
      undefined,
      undefined,
      'NOCASE',
      'RTRIM',
      undefined,
    ]);
    expect(collationsIn(engine, 'many words')).toEqual([
      undefined,
      undefined,
      'RTRIM',
      'NOCASE',
      undefined,
    ]);
  });

  it.each(['joined', 'endless'])(
    'are asked of what has no end and is not run for its collations: %s',
    (model) => {
      const { attributes } = engine.catalogue.get(model) ?? {};
      expect(attributes?.get('a')?.collation).toBe('NOCASE');
    },
  );
});

/** As they sort without regard to case or blanks, and equal ones by their bytes. */
const SORTED = ['A', 'a', 'b', 'b ', 'x\0B', 'x\0b', 'é', 'Ā', 'ﬀ', 'ﬀ ', '😀', '😀 '];

it.each(['UTF-8', 'UTF-16le', 'UTF-16be'])(
  'the first and the last text are those of the collation in a SQLite file in %s',
  async (encoding) => {
    const pairs = SORTED.flatMap((first, index) =>
      SORTED.slice(index).map((last) => ({ first, last })),
    );
    const rows = pairs.flatMap(({ first, last }, part) =>
      [last, first].map((text) => {
        const literal = `'${text.replace('\0', "' || char(0) || '")}'`;
        return `(${part}, ${literal}, ${literal})`;
      }),
    );
    const path = databaseFile(
      `pragma encoding = '${encoding}';
       create table words (id integer primary key, part int, a text collate nocase, b text collate rtrim);
       insert into words (part, a, b) values ${rows.join(', ')}`,
    );
    const engine = await open(`sqlite:${path}`);
    for (const attribute of ['a', 'b']) {
      const found = await recordsOf(engine, {
        query_model: 'words',
        query_attributes: ['first', 'last'],
        query_groups: ['part'],
        query_aggregates: [
          { name: 'first', op: 'min', attribute },
          { name: 'last', op: 'max', attribute },
        ],
        query_sort: [{ attribute: 'part' }],
        page: { page: 1, size: 100 },
      });
      expect(found).toEqual(pairs);
      const facets = [{ attribute, values: 1 }];
      const reply = await askFacets(engine, { model: 'words', facets });
      expect(reply.facets).toMatchObject([{ min: SORTED[0], max: SORTED.at(-1) }]);
    }
  },
);
