import { type Filter, operatorsOf } from '@proj/contract';
import { type Engine, EVERYTHING } from '@proj/engine';
import { eachNth } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import { askFacets } from '../databases/checked-facets.ts';
import { deepPagesOf, onlyEnded } from '../index-builds.ts';
import { ask, open } from '../open.ts';
import { usePostgres } from './server.ts';

const ROWS = 3200;

/** A type, its value in a row by the row's number `n`, and how an operand is written in SQL. */
interface OwnType {
  readonly declared: string;
  readonly value: string;
  /** Where the database would read an operand as another type, or cut it. Default: the type. */
  readonly operand?: string;
}

const WORD = `(array['a','A','b','B','ä','_','Z','z','aa','a_','~',''])[1 + n % 12]`;
const TYPES: readonly OwnType[] = [
  { declared: '"char"', value: `(n % 256 - 128)::"char"` },
  { declared: 'name', value: `repeat(${WORD}, 70)::name`, operand: 'text' },
  { declared: 'character(4)', value: WORD, operand: 'bpchar' },
  { declared: 'bpchar', value: `${WORD} || repeat(' ', n % 3)`, operand: 'bpchar' },
  { declared: 'varchar(9)', value: WORD },
  { declared: 'citext', value: WORD },
  { declared: 'mood', value: `(array['sad','ok','Happy'])[1 + n % 3]::mood` },
  { declared: 'words', value: WORD },
  { declared: 'fixed', value: WORD, operand: 'bpchar' },
  { declared: 'moods', value: `(array['sad','ok','Happy'])[1 + n % 3]::mood` },
  { declared: 'money', value: `((n % 40 - 20) * 0.5)::numeric::money` },
  { declared: 'inet', value: `'10.0.0.250/24'::inet + n % 300` },
  { declared: 'cidr', value: `set_masklen('10.0.0.0/24'::cidr, n % 20)::cidr`, operand: 'inet' },
  {
    declared: 'interval',
    value: `make_interval(months => n % 3, days => n % 35, hours => n % 50)`,
  },
  { declared: 'spans', value: `make_interval(days => n % 35, hours => n % 50)` },
  { declared: 'numeric', value: `(array['NaN','-1','1.0','1.00','0'])[1 + n % 5]::numeric` },
];

/** Types that travel as texts without operators, and order lists as parts of keys all the same. */
const KEYS: readonly OwnType[] = [
  { declared: 'bit(8)', value: '(n % 200)::bit(8)' },
  { declared: 'varbit', value: `substr((n % 200)::bit(8)::text, n % 8)::varbit` },
  { declared: 'macaddr', value: `lpad(to_hex(n % 300 * 9), 12, '0')::macaddr` },
  { declared: 'macaddr8', value: `lpad(to_hex(n % 300 * 9), 16, '0')::macaddr8` },
  { declared: 'oid', value: '(n::int8 % 300 * 14000000)::oid' },
  { declared: 'pg_lsn', value: `('0/' || to_hex(n % 300 * 9))::pg_lsn` },
  { declared: 'tsvector', value: `to_tsvector('simple', 'a' || n % 9 || ' b' || n % 7)` },
  {
    declared: 'timetz',
    value: `('10:00+' || lpad((n % 14)::text, 2, '0'))::timetz + n % 3 * interval '1 hour'`,
  },
  { declared: 'int4range', value: 'int4range(n % 9, case when n % 5 > 0 then 9 + n % 4 end)' },
  { declared: 'numrange', value: `numrange(n % 9, 9 + n % 4, (array['[]','()'])[1 + n % 2])` },
  { declared: 'int[]', value: 'array[n % 9, nullif(n % 4, 0)]' },
  { declared: 'text[]', value: `array[${WORD}, 'x']` },
  { declared: 'numbers', value: 'array[n % 9, nullif(n % 4, 0)]' },
  { declared: 'reach', value: 'int4range(n % 9, 9 + n % 4)' },
  { declared: 'pairs', value: `row(n % 9, 'a')::pair` },
  { declared: 'pair', value: `row(n % 9, ${WORD})::pair` },
];

/** Operands of filters: values of the columns, and texts that none has. */
const OPERANDS: Readonly<Record<string, readonly string[]>> = {
  text: ['', 'a', 'A', 'aa', 'a ', '_', '~', 'ä', '\\310', '\\200', '\\', 'b'.repeat(70), 'zz'],
  enum: ['sad', 'Happy', 'none'],
  interval: ['00:00:00', '1 mon', '30 days', '1 mon 4 days -24:00:00', 'P1DT1H', '-1 years'],
  inet: ['10.0.1.1/24', '10.0.1.1', '10.0.0.0/8', '::', '0.0.0.0/0'],
  decimal: ['0', '-1.5', '1.00', '0.001', '9999999999999999999999'],
};

const SQL = `set client_encoding = 'UTF8';
  create extension if not exists citext;
  create type mood as enum ('sad', 'ok', 'Happy');
  create domain words as text collate "C" check (value <> 'never');
  create domain fixed as character(3);
  create domain moods as mood;
  create domain spans as interval;
  create domain numbers as int[];
  create domain reach as int4range;
  create type pair as (a int, b text);
  create domain pairs as pair;
  ${withModels([...TYPES, ...KEYS])
    .map(([, type, model]) => tableOf(type, model))
    .join('\n')}`;

function tableOf({ declared, value }: OwnType, model: string): string {
  return `create table ${model} (v ${declared} not null, id int not null, w ${declared}, primary key (v, id));
    insert into ${model} select v, n, case when n % 7 > 0 then v end
      from (select n, ${value} as v from generate_series(1, ${ROWS}) as n) as made;`;
}

/** Rows that filters, sorts and facets look at; all of them have deep pages. */
const FEW = 260;

/** So many requests are under way at a time. */
const ABREAST = 8;
const AMONG_FEW: Filter = { attribute: 'id', op: 'lte', value: FEW };

/** The types with their models. */
function withModels(types: readonly OwnType[]): [string, OwnType, string][] {
  const all = types.map((type, index) => [type.declared, type, `own_${index}`] as const);
  return eachNth(3, all).map(([...parts]) => parts);
}

describe('the own comparison of a type of PostgreSQL', () => {
  // Autovacuum writes, and a page index is of one version of the data.
  const database = usePostgres(SQL);
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(database().url);
  });

  /** What a statement of one JSON value gives through the database's own client. */
  async function own(sql: string): Promise<unknown> {
    return JSON.parse(await database().client(`set client_encoding = 'UTF8'; select ${sql}`));
  }

  async function ids(model: string, query: object, pages = 1): Promise<number[]> {
    const found: number[] = [];
    for (let page = 1; page <= pages; page++) {
      const size = Math.ceil(FEW / pages);
      const body = { query_model: model, query_attributes: ['id'], ...query, page: { page, size } };
      const { result } = await engine.query(body, EVERYTHING);
      found.push(...(JSON.parse(result) as { id: number }[]).map(({ id }) => id));
    }
    return found;
  }

  it.each(withModels(TYPES))('is that of filters over %s', async (_, type, model) => {
    const wireType = engine.catalogue.get(model)?.attributes.get('w')?.type ?? 'other';
    const filters = operatorsOf(wireType).flatMap((op) =>
      eachNth(2, filtersOf(op, operandsOf(type, wireType))),
    );
    const selects = filters.map(
      (filter) =>
        `(select coalesce(json_agg(id order by id), '[]') from ${model} where id <= ${FEW} and (${condition(filter, type, wireType)}))`,
    );
    const expected = (await own(`array_to_json(array[${selects.join(', ')}])`)) as number[][];
    const query_sort = [{ attribute: 'id' }];
    const found: number[][] = [];
    for (let from = 0; from < filters.length; from += ABREAST) {
      const asked = filters
        .slice(from, from + ABREAST)
        .map((filter) => ids(model, { query_filter: { and: [AMONG_FEW, filter] }, query_sort }));
      found.push(...(await Promise.all(asked)));
    }
    for (const [index, filter] of filters.entries())
      expect([filter, found[index]]).toEqual([filter, expected[index]]);
  });

  it.each(withModels(TYPES))(
    'is that of sorts and of the page of a record by %s',
    async (_, type, model) => {
      for (const direction of ['asc', 'desc'] as const) {
        const order = `w ${direction} nulls last, v, id`;
        const expected = (await own(
          `json_agg(id order by ${order}) from ${model} where id <= ${FEW}`,
        )) as number[];
        const query_sort = [{ attribute: 'w', direction, nulls: 'last' }];
        expect(await ids(model, { query_filter: AMONG_FEW, query_sort }, 4)).toEqual(expected);
        for (const id of [1, 72, 200]) {
          const asked = { query_model: model, query_attributes: ['id', 'v'], query_sort };
          const only = { query_filter: { attribute: 'id', op: 'eq', value: id } };
          const one = await engine.query(
            { ...asked, ...only, page: { page: 1, size: 1 } },
            EVERYTHING,
          );
          const [containing] = JSON.parse(one.result) as object[];
          const body = { ...asked, query_filter: AMONG_FEW, page: { size: 7, containing } };
          const { page } = await engine.query(body, EVERYTHING);
          expect(page.page).toBe(String(Math.floor(expected.indexOf(id) / 7) + 1));
        }
      }
    },
  );

  it.each(withModels(TYPES))('orders the values of a facet of %s', async (_, type, model) => {
    const { type: wireType = 'other' } = engine.catalogue.get(model)?.attributes.get('w') ?? {};
    const shown = wireType === 'decimal' ? 'w::numeric' : `w::text collate "C"`;
    const expected = (await own(
      `json_agg(x order by o, x collate "C") from (
        select min(${shown}::text collate "C") as x, (array_agg(w))[1] as o
        from ${model} where id <= ${FEW} and w is not null
        group by ${wireType === 'interval' ? 'w' : shown}) as g`,
    )) as string[];
    const facets = [{ attribute: 'w', values: 1000, sort: 'value' }];
    const reply = await askFacets(engine, { model, facets, filter: AMONG_FEW });
    const [facet] = reply.facets;
    expect(facet?.values?.map(({ value }) => value)).toEqual(expected);
    expect(facet?.distinct).toBe(String(expected.length));
    expect([facet?.min, facet?.max]).toEqual([expected[0], expected.at(-1)]);
  });

  it.each(withModels([...TYPES, ...KEYS]))(
    'is that of lists in the order of a key with %s, deep pages included',
    async (_, _type, model) => {
      const expected = (await own(`json_agg(id order by v, id) from ${model}`)) as number[];
      const built = await deepPagesOf(engine, { model });
      expect(built).toEqual(onlyEnded('built'));
      for (const page of [1, 111, 199, 247, 301, 320]) {
        const { records } = await ask(engine, { model, attributes: ['id'], page, size: 10 });
        expect(records.map(({ id }) => id)).toEqual(expected.slice(page * 10 - 10, page * 10));
      }
    },
  );
});

function operandsOf({ declared }: OwnType, wireType: string): readonly string[] {
  const operands = OPERANDS[wireType] ?? [];
  // A value of one byte; the type would cut others.
  return declared === '"char"'
    ? operands.filter((text) => /^(\\\d+|[ -~]?)$/.test(text))
    : operands;
}

function filtersOf(op: string, operands: readonly string[]): Filter[] {
  const [first = '', second = '', ...others] = operands;
  const filter = (value: unknown): Filter => ({ attribute: 'w', op, value }) as Filter;
  if (op === 'is_null') return [filter(true), filter(false)];
  if (op === 'in' || op === 'not_in') return [filter([first]), filter([second, ...others])];
  if (op === 'between')
    return operands.slice(1).map((value, index) => filter([operands[index], value]));
  return operands.map(filter);
}

/** The same in SQL, by the operators of the type; texts are equal where all of their bytes are. */
function condition(
  filter: Filter,
  { declared, operand = declared }: OwnType,
  wireType: string,
): string {
  const { op, value } = filter as { op: string; value: unknown };
  const literals = [value].flat().map((one) => `'${String(one)}'`);
  const isOwn = wireType === 'interval' || wireType === 'inet';
  const exact = isOwn ? 'w' : wireType === 'decimal' ? 'w::numeric' : 'w::text collate "C"';
  const lowered = `lower(w::text)`;
  const ordered = (comparison: string, index = 0): string =>
    wireType === 'decimal'
      ? `w::numeric ${comparison} ${literals[index]}`
      : `w ${comparison} ${literals[index]}::${operand}`;
  const [text = ''] = literals;
  const conditions: Readonly<Record<string, () => string>> = {
    eq: () => `${exact} = ${text}`,
    ne: () => `${exact} <> ${text}`,
    in: () => `${exact} in (${literals.join(', ')})`,
    not_in: () => `${exact} not in (${literals.join(', ')})`,
    is_distinct: () => `${exact} is distinct from ${text}`,
    is_null: () => `(w is null) = ${String(value)}`,
    lt: () => ordered('<'),
    lte: () => ordered('<='),
    gt: () => ordered('>'),
    gte: () => ordered('>='),
    between: () => `${ordered('>=', 0)} and ${ordered('<=', 1)}`,
    contains: () => `strpos(w::text, ${text}) > 0`,
    starts_with: () => `left(w::text, length(${text})) = ${text}`,
    ends_with: () => `right(w::text, length(${text})) = ${text}`,
    ieq: () => `${lowered} = lower(${text})`,
    icontains: () => `strpos(${lowered}, lower(${text})) > 0`,
    istarts_with: () => `left(${lowered}, length(${text})) = lower(${text})`,
    iends_with: () => `right(${lowered}, length(${text})) = lower(${text})`,
  };
  return conditions[op]?.() ?? '';
}
