import { expect, it } from 'vitest';

import { facetSumsOf, groupOf } from '../databases/groups/group-of.ts';
import { idsOf, recordsOf } from '../lists.ts';
import { ask, open } from '../open.ts';
import { describeProducts, useMariadb } from './mariadb.ts';

describeProducts('lists', (product) => {
  const server = useMariadb(
    `create view steps as with recursive s as (select 1 as id union all select id + 1 from s where id < 1500)
        select id from s;`,
    product,
  );

  it('have all steps of a recursive view', async () => {
    const engine = await open(server().url, { models: { steps: { key: ['id'] } } });
    const { page } = await ask(engine, { model: 'steps', attributes: ['id'] });
    expect(page.total).toBe('1500');
  });
});

describeProducts('JSON columns', (product) => {
  const long = '12345678901234567890';
  const server = useMariadb(
    `create table documents (id int primary key, doc json);
     insert into documents values (1, '{"b b": [1.50, 1e5, ${long}], "a": " é\\\\" "}'), (2, 'null'), (3, null);`,
    product,
  );

  it('have the text that was stored, or on MySQL that of the values', async () => {
    const engine = await open(server().url);
    const { text } = await ask(engine, { model: 'documents', attributes: ['doc'] });
    const stored =
      product.name === 'MySQL'
        ? `{"a":" é\\" ","b b":[1.5,100000.0,${long}]}`
        : `{"b b":[1.50,1e5,${long}],"a":" é\\" "}`;
    expect(text).toBe(`[{"doc":${stored}},{"doc":null},{"doc":null}]`);
    const filter = { attribute: 'doc', op: 'is_null', value: true };
    expect(await idsOf(engine, 'documents', filter)).toEqual([3]);
    expect(engine.catalogue.get('documents')?.attributes.get('doc')?.type).toBe('json');
  });
});

const parent = (inverse: string) => ({
  relations: { parent: { attributes: ['parent_id'], model: 'parents', key: ['id'], inverse } },
});

describeProducts('selections', (product) => {
  const columns = 'id, parent_id, flag, doc';
  const server = useMariadb(
    `create table parents (id int primary key);
     create table marks (id int primary key, parent_id int, flag bit(1), doc json);
     create view shown as select ${columns} from marks;
     insert into parents values (1), (2);
     insert into marks values (1, 1, b'1', '[1, "x"]'), (2, 1, b'0', '{}'), (3, 2, null, null);`,
    product,
  );

  const models = {
    marks: parent('marks'),
    shown: { key: ['id'], ...parent('shown') },
    selected: {
      sql: `select ${columns} from marks`,
      key: ['id'],
      ...parent('selected'),
    },
    computed: {
      source: 'marks',
      attributes: { flag: { sql: 't.flag', type: 'boolean' as const } },
      ...parent('computed'),
    },
  };

  it.each(['marks', 'shown', 'selected', 'computed'])('are as tables: %s', async (model) => {
    const engine = await open(server().url, { models });
    expect(engine.reports).toEqual([]);
    // MariaDB shows JSON of a selection as text.
    const isJson = engine.catalogue.get(model)?.attributes.get('doc')?.type === 'json';
    const op = isJson ? 'has' : 'contains';
    const filter = { attribute: 'doc', op, value: 'x' };
    expect(await idsOf(engine, model, filter)).toEqual([1]);
    const groups = await recordsOf(engine, {
      query_model: model,
      query_groups: ['flag'],
      query_aggregates: [{ name: 'n', op: 'count' }],
    });
    expect(groups).toEqual([false, true, null].map((flag) => ({ flag, n: '1' })));
    const flag = { related: model, attribute: 'flag' };
    const extremes = await recordsOf(engine, {
      query_model: 'parents',
      query_related: [
        { name: 'least', op: 'min', ...flag },
        { name: 'most', op: 'max', ...flag },
      ],
      query_attributes: ['least', 'most'],
    });
    expect(extremes).toEqual([
      { least: false, most: true },
      { least: null, most: null },
    ]);
  });
});

describeProducts('vectors', (product) => {
  const server = useMariadb('create table plain (id int primary key)', product);

  it.skipIf(product.name === 'MariaDB')('are found where they are NULL', async () => {
    await server().client(
      `create table vectors (id int primary key, v vector(2));
       insert into vectors values (1, string_to_vector('[1,2]')), (2, null);`,
    );
    const engine = await open(server().url);
    const filter = { attribute: 'v', op: 'is_null', value: true };
    expect(await idsOf(engine, 'vectors', filter)).toEqual([2]);
  });
});

describeProducts('sums of floating point columns with two digits', (product) => {
  const server = useMariadb(
    `create table prices (id int primary key, part int default 1, single_ float(7,2), double_ double(7,2) unsigned);
     insert into prices (id, single_, double_) values (1, 1164.30, 0.1), (2, 1164.30, 0.2), (3, 0.4, null);`,
    product,
  );

  it.each([
    ['single_', '2329', '776.3333333333334'],
    ['double_', '0.3', '0.15'],
  ])('have no more digits, in facets and in groups: %s', async (attribute, sum, average) => {
    const engine = await open(server().url);
    const added = { query_model: 'prices', attribute };
    expect(await facetSumsOf(engine, added)).toEqual({ sum, average });
    expect(await groupOf(engine, added)).toEqual({ sum, average });
  });
});

describeProducts('unique indexes that are no keys', (product) => {
  const isMysql = product.name === 'MySQL';
  const server = useMariadb(
    `create table cut (code text not null, unique (code(10)));
     ${isMysql ? 'create table computed (code varchar(9) not null, unique ((lower(code))));' : ''}`,
    product,
  );

  it('are named as what they are', async () => {
    const { reports } = await open(server().url);
    const found = reports.map(({ model, problem, remedy }) => [model, problem, remedy]);
    const computed = [
      'computed',
      'Its unique index is over an expression, which is no column.',
      'Name columns that are unique together and never NULL: models: { computed: { key: [column] } }',
    ];
    const cut = [
      'cut',
      'Its unique index is over the beginning of a column, and does not sort whole values.',
      'If none of its columns is NULL, declare the key: models: { cut: { key: [code] } }',
    ];
    expect(found).toEqual(isMysql ? [computed, cut] : [cut]);
  });
});

describeProducts('ieq', (product) => {
  /** With letters that some collations do not find equal to their small ones. */
  const texts = 'k K \u212a å \u212b ω \u2126 θ ϴ ß ẞ ƚ Ƚ Ⴀ ⴀ Ꭰ ꭰ Ⱥ 漢 Ж ж kg'.split(' ');
  const server = useMariadb(
    `create table signs (id int primary key, general varchar(9) collate utf8mb4_general_ci, uca varchar(9) collate utf8mb4_unicode_ci,
       newer varchar(9) collate utf8mb4_unicode_520_ci, bin varchar(9) collate utf8mb4_bin, key (general), key (uca));
     insert into signs values ${texts.map((text, id) => `(${id}, ${`'${text}', `.repeat(3)}'${text}')`).join()};`,
    product,
  );

  it('finds the same whichever letters the collation of a column has', async () => {
    const engine = await open(server().url);
    const found = (attribute: string, value: string) =>
      idsOf(engine, 'signs', { attribute, op: 'ieq', value });
    for (const value of texts) {
      const byBytes = await found('bin', value);
      expect(byBytes, `${value} by bytes`).not.toEqual([]);
      for (const column of ['general', 'uca', 'newer'])
        expect(await found(column, value), `${value} in ${column}`).toEqual(byBytes);
    }
  });
});

function taking(more: number): string {
  return `create function taken(n int) returns int deterministic no sql return n + ${more};`;
}

describeProducts('a stored function that SQL of the settings calls', (product) => {
  const server = useMariadb(
    `create table numbers (id int primary key); insert into numbers values (1); ${taking(0)}`,
    product,
  );

  it('is called anew once it is replaced', async () => {
    const attributes = {
      id: {},
      taken: { sql: 'taken(id)', type: 'int32', reads: 'row' },
    } as const;
    const selected = { sql: 'select taken(id) as taken from numbers', key: ['taken'] };
    const models = { numbers: { attributes }, selected: { ...selected, reads: ['numbers'] } };
    const engine = await open(server().url, { models });
    expect(engine.reports).toEqual([]);
    for (const more of [0, 10, 20]) {
      await server().client(`drop function taken; ${taking(more)}`);
      for (const model of ['numbers', 'numbers', 'selected', 'selected']) {
        const { records } = await ask(engine, { model, attributes: ['taken'] });
        expect([model, records]).toEqual([model, [{ taken: 1 + more }]]);
      }
    }
  });
});
