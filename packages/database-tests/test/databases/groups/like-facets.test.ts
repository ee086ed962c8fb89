import { catalogueEntry, type Engine, EVERYTHING, InvalidQueryError } from '@proj/engine';
import { eachNth } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import { fixturesOf } from '../../fixtures/index.ts';
import { listOf, recordsOf } from '../../lists.ts';
import { open } from '../../open.ts';
import { outcome } from '../../outcome.ts';
import { askFacets, type Facet } from '../checked-facets.ts';

const FIXTURES = fixturesOf(import.meta.filename);

/** Columns whose values compare in ways of their own, with values of which some are equal. */
const COLUMNS: Readonly<Record<string, Readonly<Record<string, readonly [string, ...string[]]>>>> =
  {
    PostgreSQL: {
      plain: ['text', "'a'", "'A'", "'a'", "'é'", "'b '"],
      sighted: ['citext', "'a'", "'A'", "'a'", "'B'", "'b'"],
      blind: ['text collate ignore_case', "'a'", "'A'", "'a'", "'b'", "'B'"],
      padded: ['char(3)', "'a'", "'a '", "'b'", "'A'", "'b'"],
      named: ['name', "'a'", "'b'", "'a'", "'A'", "'c'"],
      letter: ['"char"', "'a'", "'b'", "'a'", "'A'", "''"],
      free: ['numeric', '1.0', '1.00', '2', "'NaN'", '1'],
      fixed: ['numeric(10, 2)', '1.0', '1.00', '2', "'NaN'", '1'],
      coins: ['money', '1.0', '1.00', '2', '-3', '1'],
      double_: ['double precision', '0', "'-0'", "'NaN'", "'Infinity'", '0'],
      single_: ['real', '0', "'-0'", '0.1', '0.1', "'-Infinity'"],
      list: ['numeric[]', "'{1.0}'", "'{1.00}'", "'{}'", "'{{1},{2}}'", "'{1.0}'"],
      flag: ['boolean', 'true', 'false', 'true', 'true', 'false'],
      mark: [
        'uuid',
        "'7c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b11'",
        "'7C1D9A52-6F0E-4D6A-9A62-5F2F4C0E8B11'",
        "'00000000-0000-0000-0000-000000000000'",
        'null',
        "'00000000-0000-0000-0000-000000000000'",
      ],
      mood: ['humour', "'sad'", "'happy'", "'sad'", 'null', "'happy'"],
      day: ['date', "'infinity'", "'2024-02-29'", "'0044-03-15 BC'", "'5874897-12-31'", 'null'],
      moment: [
        'timestamptz',
        "'infinity'",
        "'2024-02-29 00:00:00+01'",
        "'2024-02-28 23:00:00Z'",
        "'0044-03-15 00:00:00Z BC'",
        'null',
      ],
      span: ['time', "'24:00:00'", "'00:00:00'", "'24:00'", 'null', "'12:30'"],
    },
    MariaDB: {
      plain: ['varchar(10)', "'a'", "'A'", "'a'", "'é'", "'e'"],
      padded: ['char(3)', "'a'", "'a '", "'b'", "'A'", "'b'"],
      latin: ['varchar(10) character set latin1', "'a'", "'A'", "'é'", "'e'", "'a'"],
      prose: ['text', "'a'", "'A'", "'a'", "''", "'a '"],
      blank: ["enum('sad', '', 'happy')", "''", '0', "'happy'", "'sad'", "'none'"],
      unlisted: ["enum('sad', 'it''s,'',')", "'sad'", '0', "'it''s,'','", "'none'", 'null'],
      mood: ["enum('sad', 'happy', 'Ã')", "'sad'", "'happy'", "'sad'", 'null', "'happy'"],
      fixed: ['decimal(10, 2)', '1.0', '1.00', '2', '-3', '1'],
      zeros: ['decimal(10, 2) zerofill', '1.0', '1.00', '2', '3', '1'],
      double_: ['double', '0e0', '-0e0', '1e300', '-1e-300', '0'],
      single_: ['float', '0', '-0e0', '0.1', '0.1', '1e30'],
      flag: ['tinyint(1)', '1', '0', '1', '2', '0'],
      bit_: ['bit(1)', "b'1'", "b'0'", "b'1'", 'null', "b'0'"],
      natural_: ['bigint unsigned', '18446744073709551615', '0', '18446744073709551615', '1', '0'],
      year_: ['year', '1970', '2069', '0', '1970', 'null'],
      day: ['date', "'0000-00-00'", "'2024-02-29'", "'2024-00-00'", "'0000-00-00'", 'null'],
      moment: [
        'timestamp null',
        "'2024-02-29 00:00:00'",
        "'2024-02-29 00:00:00'",
        "'1970-01-02 00:00:01'",
        'null',
        'null',
      ],
      span: ['time(6)', "'-838:59:59'", "'00:00:00.5'", "'-838:59:59'", 'null', "'12:30'"],
    },
    DuckDB: {
      plain: ['varchar', "'a'", "'A'", "'a'", "'é'", "'b '"],
      fixed: ['decimal(10, 2)', '1.0', '1.00', '2', '-3', '1'],
      huge: ['hugeint', '170141183460469231731687303715884105727', '-1', '0', '-1', '1'],
      natural_: ['ubigint', '18446744073709551615', '0', '18446744073709551615', '1', '0'],
      double_: ['double', '0', "'-0'", "'NaN'", "'Infinity'", '0'],
      single_: ['float', '0', "'-0'", '0.1', '0.1', "'-Infinity'"],
      flag: ['boolean', 'true', 'false', 'true', 'true', 'false'],
      mood: ["enum('sad', 'happy')", "'sad'", "'happy'", "'sad'", 'null', "'happy'"],
      day: ['date', "'infinity'", "'2024-02-29'", "'0044-03-15 (BC)'", "'5881580-07-10'", 'null'],
      moment: [
        'timestamptz',
        "'infinity'",
        "'2024-02-29 00:00:00+01'",
        "'2024-02-28 23:00:00Z'",
        "'0044-03-15 (BC) 00:00:00Z'",
        'null',
      ],
      fine: [
        'timestamp_ns',
        "'2024-02-29 00:00:00.123456'",
        "'2024-02-29 00:00:00.1'",
        "'2024-02-29'",
        "'2024-02-29'",
        'null',
      ],
      span: ['time', "'24:00:00'", "'00:00:00'", "'24:00:00'", 'null', "'12:30:00'"],
    },
    SQLite: {
      plain: ['text', "'a'", "'A'", "'a'", "'é'", "'b '"],
      blind: ['text collate nocase', "'a'", "'A'", "'a'", "'b'", "'B'"],
      trimmed: ['text collate rtrim', "'a'", "'a '", "'a'", "'b'", "'B'"],
      loose: ['decimal(10, 2)', '1', '1.0', "'1.50'", '1.5', "'x'"],
      whole: ['integer', '1', '1.5', "'x'", '9223372036854775807', '1'],
      real_: ['real', '0', '-0.0', '1e300', '0.1', '0.1'],
      flag: ['boolean', '1', '0', '1', '2', 'null'],
      day: ['date', "'2024-02-29'", "'2024-02-29T00:00:00'", "'never'", 'null', "'2024-03-01'"],
      moment: [
        'datetime',
        "'2024-02-29 00:00:00'",
        "'2024-02-29T00:00:00'",
        "'2024-02-29T00:00:00+01:00'",
        'null',
        "'never'",
      ],
    },
  };

const BEFORE: Readonly<Record<string, readonly string[]>> = {
  PostgreSQL: [
    'create extension if not exists citext',
    "create collation ignore_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
    "create type humour as enum ('sad', 'happy')",
  ],
  MariaDB: ["set sql_mode = ''"],
};

/** Inserts a key that a table does not have. */
const INSERT_NEW: Readonly<Record<string, (name: string, value: string) => string>> = {
  PostgreSQL: (name, value) => `insert into k_${name} values (${value}) on conflict do nothing`,
  MariaDB: (name, value) => `insert ignore into k_${name} values (${value})`,
  DuckDB: (name, value) => `insert or ignore into k_${name} values (${value})`,
  SQLite: (name, value) => `insert or ignore into k_${name} values (${value})`,
};

/** Columns of which several keys are shown alike, so that none names a record. */
const NO_KEYS: Readonly<Record<string, readonly string[]>> = {
  PostgreSQL: [],
  MariaDB: ['blank'],
  DuckDB: [],
  SQLite: ['day', 'moment'],
};

/** Of texts that a collation finds equal, and of equal decimals, the first may be any. */
function foldedOf(value: unknown): string {
  return JSON.stringify(value)
    .toLowerCase()
    .replace(/(\.0+)?"$/, '');
}

describe.each(FIXTURES)(
  'the groups of values with comparisons of their own on $name',
  (fixture) => {
    const columns = COLUMNS[fixture.family] ?? {};
    const tried = eachNth(3, Object.keys(columns));
    let engine: Engine;

    beforeAll(async () => {
      const database = await fixture.create();
      const tables = Object.entries(columns).map(
        ([name, [type]]) =>
          `create table t_${name} (id int not null primary key, v ${type}, part int default 1)`,
      );
      const keyed = Object.entries(columns).flatMap(([name, [type, ...values]]) => {
        // A part of a text is no key.
        if (fixture.family === 'MariaDB' && type === 'text') return [];
        const given = values.filter((value) => value !== 'null');
        const table = `create table k_${name} (v ${type.replace(' null', '')} not null unique)`;
        return [table, ...given.map((value) => INSERT_NEW[fixture.family]?.(name, value) ?? '')];
      });
      const rows = Object.entries(columns).map(([name, [, ...values]]) => {
        const tuples = values.map((value, id) => `(${id}, ${value})`);
        return `insert into t_${name} (id, v) values ${tuples.join(', ')}`;
      });
      await database.execute([...(BEFORE[fixture.family] ?? []), ...tables, ...rows, ...keyed]);
      engine = await open(database.url);
    });

    /** The facet of all values of a column. */
    async function facetOf(name: string): Promise<Facet | undefined> {
      const facets = [{ attribute: 'v', values: 20, sort: 'value' }];
      return (await askFacets(engine, { model: `t_${name}`, facets })).facets[0];
    }

    it.each(tried)('are the values of the facet, in its order: %s', async (name) => {
      const query_model = `t_${name}`;
      const { values = [], nulls } = (await facetOf(name)) ?? {};
      const expected = [
        ...values.map(({ value, count }) => ({ v: value, n: count })),
        ...(nulls === '0' ? [] : [{ v: null, n: nulls }]),
      ];
      const distinct = { name: 'n', op: 'count_distinct', attribute: 'v' };
      const all = { query_model, query_attributes: ['n'], query_groups: ['part'] };
      const counted = await recordsOf(engine, { ...all, query_aggregates: [distinct] });
      expect(counted).toEqual([{ n: String(values.length) }]);
      const groups = {
        query_model,
        query_groups: ['v'],
        query_aggregates: [{ name: 'n', op: 'count' }],
      };
      const { result, page } = await engine.query(listOf(groups), EVERYTHING);
      // Arrays have no order but that of the groups, and an empty label has the place of either value.
      const inOrder = (list: unknown[]): unknown[] =>
        ['list', 'blank'].includes(name) ? list.map((one) => JSON.stringify(one)).toSorted() : list;
      expect(inOrder(JSON.parse(result) as unknown[])).toEqual(inOrder(expected));
      expect(String(page.total)).toBe(String(expected.length));
      for (const { v } of expected) {
        const query_group_filter =
          v === null
            ? { attribute: 'v', op: 'is_null', value: true }
            : { attribute: 'v', op: 'eq', value: v };
        const kept: unknown = await recordsOf(engine, { ...groups, query_group_filter }).catch(
          (error: Error) => error.constructor,
        );
        // Arrays, and texts in a column of numbers, cannot be written in a filter.
        const same = expected.filter((one) => one.v === v);
        expect([same, InvalidQueryError]).toContainEqual(kept);
      }
    });

    it('are keys of which each names one record, or none at all', async () => {
      const unnamed: string[] = [];
      for (const name of Object.keys(columns)) {
        const entry = catalogueEntry(engine.catalogue, EVERYTHING, `k_${name}`);
        if (entry === undefined) continue;
        if (entry.key.length === 0) unnamed.push(name);
        const body = { query_model: `k_${name}`, query_attributes: ['v'] };
        const records = await recordsOf(engine, body);
        for (const { v } of records) {
          const query_filter = { attribute: 'v', op: 'eq', value: v };
          const found = await recordsOf(engine, { ...body, query_filter }).then(
            ({ length }) => length,
            (error: Error) => error.name,
          );
          // As above, not all can be written in a filter.
          const expected = entry.key.length === 0 ? [1, 2] : [1, InvalidQueryError.name];
          expect({ name, v, isOne: expected.includes(found) }).toEqual({ name, v, isOne: true });
          const containing = { ...body, page: { size: 1, containing: { v } } };
          const named = await outcome(engine.query(containing, EVERYTHING));
          expect(named === 'answered').toBe(found === 1 && entry.key.length > 0);
        }
      }
      expect(unnamed).toEqual(NO_KEYS[fixture.family]);
    });

    it.each(tried)('have the first and the last value of the facet: %s', async (name) => {
      const found = await facetOf(name);
      if (found?.min === undefined || ['mood', 'blank', 'unlisted'].includes(name)) return;
      const records = await recordsOf(engine, {
        query_model: `t_${name}`,
        query_attributes: ['min', 'max'],
        query_groups: ['id'],
        query_aggregates: ['min', 'max'].map((op) => ({ name: op, op, attribute: 'v' })),
        query_sort: [{ attribute: 'min' }],
      });
      expect(records.every(({ min, max }) => min === max)).toBe(true);
      expect(foldedOf(records[0]?.['min'])).toBe(foldedOf(found.min));
    });
  },
);
