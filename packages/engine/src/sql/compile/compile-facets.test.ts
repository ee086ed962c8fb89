import { sql } from 'kysely';
import { expect, it } from 'vitest';

import { catalogueOf, NOTES } from '../../../test/unit/models.ts';
import { plainDialect } from '../../../test/unit/plain-dialect.ts';
import { EVERYTHING } from '../../catalogue/grant.ts';
import { type FacetsPlan, planFacets } from '../../planning/plan-facets.ts';
import type { Dialect } from '../dialect.ts';
import { divisorOf } from '../clauses/from-rows.ts';
import { compileFacets } from './compile-facets.ts';

const DIALECT: Dialect = {
  ...plainDialect,
  groups: {
    ...plainDialect.groups,
    bin: (column, _field, bounds) => ({ by: sql`bin(${sql.join([column, ...bounds])})` }),
    added: (column, _field, divisor) => sql`added(${column}, ${divisor})`,
  },
  lists: (lists, maxBytes) => {
    const parts = lists.map(({ columns, rest, when }) => {
      const wanted = when === undefined ? sql`` : sql` when ${when}`;
      return sql`${sql.join([...columns])} ${rest}${wanted}`;
    });
    return sql`at_most(${sql.lit(maxBytes)}) ${sql.join(parts, sql` | `)}`;
  },
};
const WITH_FINITE: Dialect = {
  ...DIALECT,
  groups: { ...DIALECT.groups, isFinite: (column) => sql`finite(${column})` },
};
const RANK = { attribute: 'rank', op: 'gt', value: 1 };
const SOME = 'from "notes" as "t" where ("t"."rank" > ?)';
const WORDS = { attribute: 'word', values: 3 };

function planOf(query_facets: readonly object[], query_filter: object = RANK): FacetsPlan {
  const body = { query_model: 'notes', query_facets, query_filter };
  const planning = planFacets(body, catalogueOf(NOTES), EVERYTHING);
  if (!planning.ok) throw new Error(JSON.stringify(planning.errors));
  return planning.plan;
}

/** The lists that a statement reads, and what it evaluates before. */
function partsOf(text = ''): string[] {
  const plain = text.replaceAll(/\s+/g, ' ');
  const [, before = '', lists = plain] =
    /^with (.*) select \* from \((.*)\) as "s"$/.exec(plain) ?? [];
  return [before, ...lists.split(' | ')];
}

function compiled(plan: FacetsPlan, dialect = DIALECT) {
  const { read, ranges, ...statements } = compileFacets(plan, dialect, 99);
  const fields = statements.fields.map((list) => list.map(({ name }) => name).join());
  return { ...statements, fields, read: partsOf(read.sql), ranges: partsOf(ranges?.sql) };
}

const grouped = (from: string) =>
  `"g0" as materialized (select same("t"."word") as "g0", one("t"."word") as "v0", count(*) as "a0" ${from} group by 1)`;
const ALL_WORDS =
  'min("t"."v0"), max("t"."v0"), count("t"."v0"), ' +
  'coalesce(sum(case when "t"."v0" is null then "t"."a0" end), 0), ' +
  'coalesce(sum("t"."a0"), 0) from "g0" as "t"';
const FIRST_WORDS = 'at_most(99) "t"."v0", "t"."a0" from "g0" as "t" where not ("t"."v0" is null)';
const BY_WORD = '"t"."v0" asc nulls last, "t"."g0" asc nulls last';

it('values are grouped once: the first are listed, by their count, and all summed up', () => {
  const { read, ranges, ...statements } = compiled(planOf([WORDS]));
  expect(read).toEqual([
    grouped(SOME),
    `${FIRST_WORDS} order by "t"."a0" desc nulls first, ${BY_WORD} limit 3`,
    ALL_WORDS,
  ]);
  expect(ranges).toEqual(['', '']);
  const fields = ['value,count', 'min,max,distinct,nulls,total'];
  expect(statements).toMatchObject({ fields, facets: [undefined], hasSnapshots: true });
});

it('values may be in their own order, and have a filter beside which all records are counted', () => {
  const query_filter = { ...RANK, op: 'lt' };
  const { read, fields } = compiled(planOf([{ ...WORDS, sort: 'value', query_filter }]));
  expect(read).toEqual([
    grouped(SOME.replace('>', '<')),
    `${FIRST_WORDS} order by ${BY_WORD} limit 3`,
    ALL_WORDS,
    `"t"."a0" from (select count(*) as "a0" ${SOME}) as "t"`,
  ]);
  const listed = ['value,count', 'min,max,distinct,nulls,total'];
  expect(fields).toEqual([...listed, 'count']);
  const both = compiled(
    planOf([
      { ...WORDS, query_filter },
      { ...WORDS, attribute: 'id' },
    ]),
  );
  expect(both.fields).toEqual([...listed, ...listed]);
});

const grouping: Dialect['groups']['grouping'] = (column) => ({ by: sql`same(${column})` });

it('values are shown as they are grouped where a database has no other form of them', () => {
  const dialect = { ...DIALECT, groups: { ...DIALECT.groups, grouping } };
  const [, listed = ''] = compiled(planOf([WORDS]), dialect).read;
  expect(listed).toContain('order by "t"."a0" desc nulls first, "t"."g0" asc nulls last limit 3');
});

const orderTerm: Dialect['orderTerm'] = (column, { nullable }) =>
  sql`${column}${sql.raw(nullable ? ' or null' : '')}`;

it('values are in an order without NULL, of which there is none among them', () => {
  const [, listed = ''] = compiled(planOf([WORDS]), { ...DIALECT, orderTerm }).read;
  expect(listed).toContain('order by "t"."a0", "t"."v0", "t"."g0" limit 3');
});

const BINS = [
  { attribute: 'size', bins: 2 },
  { attribute: 'at', bins: 1 },
];
const SIZES = `select bin("t"."size", ?, ?, ?) as "g0", count(*) as "a0", added("t"."size", ?) as "a1" ${SOME} group by 1`;
const TIMES = `select bin("t"."at", ?, ?) as "g0", count(*) as "a0" ${SOME} group by 1`;

it('bins are counted between the least and the greatest value, and numbers added up', () => {
  const { read, ranges, ...statements } = compiled(planOf(BINS));
  expect(read).toEqual([
    '',
    `at_most(99) "t"."g0", "t"."a0", "t"."a1" from (${SIZES}) as "t"`,
    `"t"."g0", "t"."a0" from (${TIMES}) as "t"`,
  ]);
  expect(ranges).toEqual([
    '',
    `at_most(99) min("t"."size"), max("t"."size") ${SOME}`,
    `min("t"."at"), max("t"."at") ${SOME}`,
  ]);
  const names = statements.rangeFields.map((ends) => ends.map(({ name }) => name));
  expect(names).toEqual([
    ['min', 'max'],
    ['min', 'max'],
  ]);
  expect(statements).toMatchObject({
    fields: ['bin,count,sum', 'bin,count'],
    facets: [
      { bins: 2, isAdded: true, mayBeInNone: false },
      { bins: 1, isAdded: false, mayBeInNone: false },
    ],
  });
});

it('bounds and divisors of bins are placeholders, one behind the other', () => {
  const { parameters } = compileFacets(planOf(BINS), DIALECT, 99).read;
  const [sizes, times] = [
    [0, 1, 2, 3],
    [4, 5],
  ].map((all) => all.map((index) => ({ placeholder: 'key', index })));
  expect(parameters).toEqual([...(sizes ?? []), 1n, ...(times ?? []), 1n]);
  const { rows } = planOf([WORDS]).facets[0] ?? {};
  expect(() => divisorOf(rows?.groups[0]?.by)).toThrow('Values of bins alone are added so.');
});

it('what all values have in common is read where some are in no bin', () => {
  const { read, ranges, ...statements } = compiled(planOf(BINS), WITH_FINITE);
  const isMissing = '"t"."g0" = 0 or "t"."g0" > 0 and "t"."a1" is null';
  expect(read).toEqual([
    `"g0" as materialized (${SIZES}), "g1" as materialized (${TIMES})`,
    'at_most(99) "t"."g0", "t"."a0", "t"."a1" from "g0" as "t"',
    `min("t"."size"), max("t"."size"), added("t"."size", ?), count("t"."size") ${SOME} when exists (select 1 from "g0" as "t" where ${isMissing})`,
    '"t"."g0", "t"."a0" from "g1" as "t"',
    `min("t"."at"), max("t"."at") ${SOME} when exists (select 1 from "g1" as "t" where "t"."g0" = 0)`,
  ]);
  expect(ranges).toEqual([
    '',
    `at_most(99) min("t"."size"), max("t"."size") ${SOME} and finite("t"."size")`,
    `min("t"."at"), max("t"."at") ${SOME} and finite("t"."at")`,
  ]);
  const [sizes, times] = ['min,max,sum,numbers', 'min,max'];
  expect(statements.fields).toEqual(['bin,count,sum', sizes, 'bin,count', times]);
  expect(statements.facets).toMatchObject([{ mayBeInNone: true }, { mayBeInNone: true }]);
  const [, ofRanks = ''] = compiled(
    planOf([{ attribute: 'rank', bins: 1 }]),
    WITH_FINITE,
  ).read.slice(1);
  expect(ofRanks).toContain('sum("t"."rank"), count("t"."rank")');
});

it('facets of what varies are all of one evaluation, with their ranges', () => {
  const plan = planOf([WORDS, { attribute: 'rank', bins: 1 }]);
  const varies = { inTransaction: false };
  const varying = { ...plan, facts: { ...plan.facts, hasSnapshots: false, varies } };
  const { read, ranges, fields, hasSnapshots } = compiled(varying);
  const once = '"once" as materialized (select "t"."rank", "t"."word" from "notes" as "t")';
  const again = SOME.replace('"notes"', '"once"');
  expect(read[0]).toBe(`${once}, ${grouped(again)}`);
  expect(read.at(-1)).toBe(`min("t"."rank"), max("t"."rank") ${again}`);
  expect(ranges).toEqual([once, `at_most(99) min("t"."rank"), max("t"."rank") ${again}`]);
  expect(fields.at(-1)).toBe('min,max');
  const inTransaction = { ...varying.facts, varies: { inTransaction: true } };
  expect([hasSnapshots, compiled({ ...plan, facts: inTransaction }).hasSnapshots]).toEqual([
    false,
    true,
  ]);
});

it('bins may be computed once for each row, and their bounds be read once', () => {
  const bounds = sql`bounds`;
  const groups: Dialect['groups'] = {
    ...DIALECT.groups,
    bin: (column) => ({ by: sql`bin(${column})`, bounds }),
    computed: (column, { name }, read) =>
      name === 'at' ? sql`(select dated(${column}) as "x" ${read})` : undefined,
  };
  const { read, ranges } = compiled(planOf([BINS[1] as object]), { ...DIALECT, groups });
  const dated = `(select dated("t"."at") as "x" ${SOME}) as "t"`;
  expect(read[1]).toContain(
    `select bin("t"."x") as "g0", count(*) as "a0" from ${dated} cross join bounds group by 1`,
  );
  expect(ranges[1]).toBe(`at_most(99) min("t"."x"), max("t"."x") from ${dated}`);
  const plain = compiled(planOf([{ attribute: 'rank', bins: 1 }]), { ...DIALECT, groups }).read;
  expect(plain[1]).toContain('from "notes" as "t" cross join bounds where');
  const words = compiled(planOf([{ ...WORDS, attribute: 'at' }]), { ...DIALECT, groups }).read;
  expect(words[0]).not.toContain('dated');
});
