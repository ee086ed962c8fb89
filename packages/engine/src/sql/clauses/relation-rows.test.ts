import { describe, expect, it } from 'vitest';

import { NOTES } from '../../../test/unit/models.ts';
import { plainDialect } from '../../../test/unit/plain-dialect.ts';
import { buildCatalogue } from '../../catalogue/build/build.ts';
import type { ComputedValue } from '../../catalogue/relation.ts';
import { EVERYTHING } from '../../catalogue/grant.ts';
import type { ListFacts } from '../../planning/list-rows.ts';
import { type Plan, planQuery } from '../../planning/plan.ts';
import { compile } from '../compile/compile.ts';
import { QueryKeys } from '../prepared/query-keys.ts';
import { columnOf, outputsBeside } from './relation-rows.ts';
import { cutPage, pageClauses } from './page-clauses.ts';
import type { Expression } from '../statement.ts';

const OF_ROW: ComputedValue = { sql: 'upper(word)', isOfRow: true };
const LATE: ComputedValue = { ...OF_ROW, reads: ['word'] };

function planOf(computed: ComputedValue, members: object): Plan {
  const settings = { attributes: { loud: { sql: computed.sql, type: 'text' } } } as const;
  const described = { type: 'text', databaseType: 'text', computed } as const;
  const { catalogue } = buildCatalogue(
    [{ ...NOTES, versioned: true }],
    { expose: 'all', models: { notes: settings }, maxPageSize: 100 },
    { selections: new Map(), columns: new Map([['notes', new Map([['loud', described]])]]) },
  );
  const page = { page: 1, size: 10 };
  const body = { query_model: 'notes', query_attributes: ['loud'], page, ...members };
  const planning = planQuery(body, catalogue, EVERYTHING);
  if (!planning.ok) throw new Error(JSON.stringify(planning.errors));
  return planning.plan;
}

function textOf(expression: Expression): string {
  return compile(expression, plainDialect).sql;
}

const facts = (value: ComputedValue, members: object = {}): ListFacts =>
  planOf(value, members).facts;

const keys = (sql: string, members: object): QueryKeys =>
  new QueryKeys(planOf({ ...OF_ROW, sql }, members));

const pageOf = (plan: Plan): string => {
  const columns = plan.attributes.map(columnOf);
  return textOf(cutPage(columns, pageClauses(plan, plainDialect, 0)));
};

const LOUD = { query_filter: { attribute: 'loud', op: 'is_null', value: false } };
const PAGE = ' order by "t"."id" asc nulls last limit ? offset ?';

function beside(...columns: string[]): string {
  return outputsBeside(
    'c',
    columns.map((column) => ({ column })),
  );
}

it('outputs are named unlike the columns of an order, in any case', () => {
  expect([beside('c', 'xc0'), beside('C0'), beside('c12', 'C_0')]).toEqual(['c', 'c_', 'c__']);
});

describe('a computed column', () => {
  it('is computed where a statement names it', () => {
    expect(pageOf(planOf(OF_ROW, {}))).toBe(
      'select "t"."loud" ' +
        `from (select (upper(word)) as "loud", "t"."id" from "notes" as "t") as "t"${PAGE}`,
    );
  });

  it('leaves statements that do not name it as they are', () => {
    const plan = planOf(OF_ROW, { query_attributes: ['word'] });
    expect(pageOf(plan)).toBe(`select "t"."word" from "notes" as "t"${PAGE}`);
    const { counted, from } = pageClauses(planOf(OF_ROW, {}), plainDialect, 0);
    expect(textOf(counted ?? from)).toBe('"notes" as "t"');
  });

  it('is computed for the records of a page alone where that is known to suffice', () => {
    const cut = `select "t"."word", "t"."id" from "notes" as "t"${PAGE}`;
    const computed = `(select (upper(word)) as "loud", "t"."id" from (${cut}) as "t") as "t"`;
    expect(pageOf(planOf(LATE, {}))).toBe(
      `select "t"."loud" from ${computed} order by "t"."id" asc nulls last`,
    );
    expect(pageOf(planOf(LATE, LOUD))).toBe(
      'select "t"."loud" from (select (upper(word)) as "loud", "t"."id" from "notes" as "t") ' +
        `as "t" where ("t"."loud" is not null)${PAGE}`,
    );
  });

  it('ends what a feed knows of a list, and its version where it reads other rows', () => {
    const word = { query_attributes: ['word'] };
    expect(facts(OF_ROW, word)).toMatchObject({ versioned: true, followable: ['notes'] });
    expect(facts(OF_ROW)).toMatchObject({ versioned: true, followable: undefined });
    const others = { versioned: false, hasSnapshots: false, followable: undefined };
    expect(facts({ ...OF_ROW, isOfRow: false })).toMatchObject(others);
    expect(facts({ ...OF_ROW, isOfRow: false }, { ...word, ...LOUD })).toMatchObject(others);
  });

  it('makes other lists of those that name it, once it is defined otherwise', () => {
    const [one, other] = ['upper(word)', 'lower(word)'];
    expect(keys(one, {}).totalKey).toBe(keys(other, {}).totalKey);
    expect(keys(one, {}).key).not.toBe(keys(other, {}).key);
    expect(keys(one, LOUD).totalKey).not.toBe(keys(other, LOUD).totalKey);
    const sort = { query_sort: [{ attribute: 'loud', direction: 'asc' }] };
    expect(keys(one, sort).orderKey).not.toBe(keys(other, sort).orderKey);
    const word = { query_attributes: ['word'] };
    expect(keys(one, word)).toEqual(keys(other, word));
  });
});
