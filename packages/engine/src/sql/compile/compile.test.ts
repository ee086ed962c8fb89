import { MysqlQueryCompiler, sql } from 'kysely';
import { describe, expect, it } from 'vitest';

import { anyPlanOf, planOf } from '../../../test/unit/models.ts';
import { plainDialect } from '../../../test/unit/plain-dialect.ts';
import { type ListFacts, tableRows } from '../../planning/list-rows.ts';
import type { Selection } from '../../catalogue/relation.ts';
import type { Plan } from '../../planning/plan.ts';
import { type CompileOptions, compileQuery, compilerOf } from './compile.ts';
import type { AtOnceClauses, Dialect } from '../dialect.ts';
import { COUNT, LIMIT, OFFSET, type StatementSession } from '../statement.ts';

const OPTIONS: CompileOptions = { shortPageProof: true, readBackwards: true, maxReplyBytes: 1000 };
const FILTERED = { query_filter: { attribute: 'rank', op: 'gt', value: 1 } };
const WHERE = ' where ("t"."rank" > ?)';

function statements(members: object = {}, dialect: Dialect = plainDialect, options = OPTIONS) {
  return compileQuery(planOf(members), dialect, options);
}

const atOnce = ({ fields, numbers, from, oneMore, shortPageProof }: AtOnceClauses) =>
  sql`${sql.lit(fields.length)} of ${sql.join([...numbers])} in ${from} ${sql.lit(oneMore)} ${sql.lit(shortPageProof)}`;

const lock: Dialect['lock'] = (relations) => sql`keep ${sql.join([...relations])}`;

const recordsOfServers: Dialect['recordsOfServers'] = (_fields, { from, order }) =>
  sql`records of ${from} in ${order}`;

describe('the rows of a list that several servers have', () => {
  const session = {
    role: undefined,
    settings: {},
    lock: undefined,
    endsWithVersion: false,
    calls: [],
    readsUnlocked: false,
    cut: [['notes']],
  };
  const ofServers: Dialect = { ...plainDialect, session, recordsOfServers };

  it('are records of their own, from either end', () => {
    const { rows, reversed } = statements({}, ofServers);
    expect(rows).toMatchObject({
      sql: 'records of "notes" as "t" in "t"."id" asc nulls last',
      collects: { reversed: false, maxBytes: 1000 },
    });
    expect(reversed).toMatchObject({ collects: { reversed: true, maxBytes: 1000 } });
  });

  it('are those of one statement where they are groups', () => {
    const groups = anyPlanOf({ query_groups: ['word'] });
    expect(compileQuery(groups, ofServers, OPTIONS).rows.collects).toBeUndefined();
  });

  it.each<[string, Dialect]>([
    ['the database has no such records', { ...plainDialect, session }],
    ['they have no session', { ...plainDialect, recordsOfServers }],
    ['the database does not have them so', { ...ofServers, recordsOfServers: () => undefined }],
    ['they are read as a caller', { ...ofServers, session: { ...session, role: 'reader' } }],
    ['one server is read', { ...ofServers, session: { ...session, cut: [] } }],
  ])('are those of one statement where %s', (_where, dialect) => {
    const { rows } = statements({}, dialect);
    expect([rows.sql.startsWith('at_most'), rows.collects]).toEqual([true, undefined]);
  });
});

describe('the rows of a list', () => {
  it('are selected in the order of the list, with placeholders for the page', () => {
    expect(statements().rows).toEqual({
      sql: 'at_most(1000) select "t"."word" from "notes" as "t" order by "t"."id" asc nulls last limit ? offset ?',
      parameters: [LIMIT, OFFSET],
      relations: [['notes']],
    });
  });

  it('are those that the condition holds for', () => {
    expect(statements(FILTERED).rows).toEqual({
      sql: `at_most(1000) select "t"."word" from "notes" as "t"${WHERE} order by "t"."id" asc nulls last limit ? offset ?`,
      parameters: [1n, LIMIT, OFFSET],
      relations: [['notes']],
    });
  });

  it.each<[object[], string]>([
    [[{ attribute: 'rank' }], '"t"."rank" asc nulls last, "t"."id" asc nulls last'],
    [
      [{ attribute: 'rank', direction: 'desc' }],
      '"t"."rank" desc nulls first, "t"."id" asc nulls last',
    ],
    [
      [{ attribute: 'rank', nulls: 'first' }],
      '"t"."rank" asc nulls first, "t"."id" asc nulls last',
    ],
    [
      [{ attribute: 'rank', direction: 'desc', nulls: 'last' }, { attribute: 'word' }],
      '"t"."rank" desc nulls last, "t"."word" asc nulls last, "t"."id" asc nulls last',
    ],
  ])('sorted by %j are ordered by %s', (query_sort, order) => {
    expect(statements({ query_sort }).rows.sql).toContain(` order by ${order} limit`);
  });
});

describe('the rows from the end of a list', () => {
  it('are selected in the reversed order of every term', () => {
    const query_sort = [{ attribute: 'rank', nulls: 'first' }];
    expect(statements({ ...FILTERED, query_sort }).reversed).toEqual({
      sql: `at_most(1000) backwards (select "t"."word" from "notes" as "t"${WHERE} order by "t"."rank" desc nulls last, "t"."id" desc nulls first limit ? offset ?)`,
      parameters: [1n, LIMIT, OFFSET],
      relations: [['notes']],
    });
  });

  it('are reversed for a descending term too', () => {
    const query_sort = [{ attribute: 'rank', direction: 'desc' }];
    expect(statements({ query_sort }).reversed?.sql).toContain('"t"."rank" asc nulls last, ');
  });

  it('are not read where the settings turn that off', () => {
    const options = { ...OPTIONS, readBackwards: false };
    expect(statements({}, plainDialect, options).reversed).toBeUndefined();
  });

  it('are not read where two statements may see two states of the relation', () => {
    const plan = planOf();
    const without = { ...plan, ...tableRows({ ...plan.rows.model, snapshots: false }) };
    expect(compileQuery(without, plainDialect, OPTIONS).reversed).toBeUndefined();
  });
});

it('the total is counted over the same rows', () => {
  expect(statements().count).toEqual({
    sql: 'select count(*) from "notes" as "t"',
    parameters: [],
    relations: [['notes']],
  });
  expect(statements(FILTERED).count).toEqual({
    sql: `select count(*) from "notes" as "t"${WHERE}`,
    parameters: [1n],
    relations: [['notes']],
  });
});

describe('a page with its total', () => {
  it('is read in one statement where the dialect has one', () => {
    expect(statements({}, { ...plainDialect, atOnce }).atOnce).toEqual({
      sql: '1 of (select count(*) from "notes" as "t") in "notes" as "t" false true',
      parameters: [],
      relations: [['notes']],
    });
    expect(statements().atOnce).toBeUndefined();
  });

  it('is read in one statement where two may see two states', () => {
    const plan = planOf();
    const without = { ...plan, ...tableRows({ ...plan.rows.model, snapshots: false }) };
    const { rows, count, atOnce: statement } = compileQuery(without, plainDialect, OPTIONS);
    expect(statement?.sql).toBe(`select "r".*, (${count.sql}) from (${rows.sql}) as "r"`);
  });

  it.each([true, false])('may prove the total by a short page: settings %j', (setting) => {
    const options = { ...OPTIONS, shortPageProof: setting };
    const compiled = statements({}, { ...plainDialect, atOnce }, options);
    expect(compiled.shortPageProof).toBe(setting);
    expect(compiled.atOnce?.sql).toMatch(new RegExp(`${setting}$`));
  });

  it('counts to a limit where one record more is read', () => {
    const options = { ...OPTIONS, shortPageProof: false, isBounded: true };
    const { count, ...compiled } = statements({}, { ...plainDialect, atOnce }, options);
    expect(count).toMatchObject({
      sql: 'select count(*) from (select 1 from "notes" as "t" limit ?) as "b"',
      parameters: [COUNT],
    });
    expect(compiled.atOnce?.sql).toBe(`1 of (${count.sql}) in "notes" as "t" true true`);
  });
});

it('a relation is locked where the dialect needs it', () => {
  expect(statements({}, { ...plainDialect, lock }).lock?.sql).toBe('keep "notes"');
  expect(statements().lock).toBeUndefined();
});

it('rows are those of a selection where the model has one', () => {
  const plan = planOf();
  const selection = { sql: 'select 1' } as Selection;
  const selected = { ...plan, ...tableRows({ ...plan.rows.model, selection }) };
  const { count } = compileQuery(selected, plainDialect, OPTIONS);
  expect(count.sql).toBe('select count(*) from (select 1) as "t"');
});

const KEYS = 'same("t"."word") as "g0", month_of("t"."at") as "g1"';

function grouped(columns: string): string {
  return `(select ${columns} from "notes" as "t" where ("t"."rank" > ?) group by 1, 2) as "t"`;
}

describe('a list of groups', () => {
  const GROUPED = {
    query_attributes: ['word', 'at.month', 'total'],
    query_groups: ['word', { attribute: 'at', by: 'month' }],
    query_aggregates: [
      { name: 'total', op: 'sum', attribute: 'size' },
      { name: 'n', op: 'count' },
      { name: 'ranks', op: 'count_distinct', attribute: 'rank' },
    ],
    query_filter: { attribute: 'rank', op: 'gt', value: 1 },
    query_group_filter: { attribute: 'n', op: 'gt', value: 2 },
    query_sort: [{ attribute: 'ranks' }],
  };

  it('is selected from the groups with those columns that it shows, filters and sorts by', () => {
    const { rows } = compileQuery(anyPlanOf(GROUPED), plainDialect, OPTIONS);
    const columns = `${KEYS}, one("t"."word") as "v0", month_of("t"."at") as "v1", sum("t"."size") as "a0", count(*) as "a1", count(distinct same("t"."rank")) as "a2"`;
    expect(rows.sql).toBe(
      `at_most(1000) select "t"."v0", "t"."v1", "t"."a0" from ${grouped(columns)} where ("t"."a1" > ?) ` +
        'order by "t"."a2" asc nulls last, "t"."v0" asc nulls last, "t"."v1" asc nulls last, "t"."g0" asc nulls last, "t"."g1" asc nulls last limit ? offset ?',
    );
    expect(rows.parameters).toEqual([1n, 2n, LIMIT, OFFSET]);
  });

  it('is counted without what its filter does not name', () => {
    const { count } = compileQuery(anyPlanOf(GROUPED), plainDialect, OPTIONS);
    expect(count.sql).toBe(
      `select count(*) from ${grouped(`${KEYS}, count(*) as "a1"`)} where ("t"."a1" > ?)`,
    );
  });

  it('is evaluated once by a page where a database would evaluate its columns again', () => {
    const dialect = { ...plainDialect, reevaluatesColumns: true };
    const textOf = (plan: Plan): string => compileQuery(plan, dialect, OPTIONS).rows.sql;
    expect(textOf(anyPlanOf(GROUPED))).toMatch(/^with "once" as materialized/);
    expect(textOf(planOf())).toMatch(/^at_most/);
  });

  it('is evaluated once by a statement that reads a page with its total', () => {
    const dialect = { ...plainDialect, atOnce };
    const { atOnce: statement } = compileQuery(anyPlanOf(GROUPED), dialect, OPTIONS);
    expect(statement?.sql).toMatch(
      /^with "once" as materialized \(select .* group by 1, 2\) as "t" where .*\)\s+select \* from/,
    );
    expect(statement?.sql.match(/"notes"/g)).toHaveLength(1);
  });
});

const statementOf = (dialect: Partial<Dialect>, facts: Partial<ListFacts> = {}) => {
  const plan = planOf();
  const relations = [['notes'], ['others']];
  const list = { ...plan, relations, facts: { ...plan.facts, ...facts } };
  return compileQuery(list, { ...plainDialect, ...dialect }, OPTIONS);
};

describe('the terms of a statement', () => {
  const session = { role: 'reader' } as StatementSession;
  const kept = 'keep "notes", "others"';

  it('are its proof and session, where there are any', () => {
    expect(Object.keys(statements().count)).toEqual(['sql', 'parameters', 'relations']);
    const dialect = { ...plainDialect, proof: 'proof', session };
    expect(statements({}, dialect).count).toMatchObject({ proof: 'proof', session });
    expect(Object.keys(statements({}, dialect).count)).toHaveLength(5);
  });

  it('are the version that it is read with', () => {
    expect(statements({}, { ...plainDialect, version: sql`v()` }).version?.sql).toBe('select v()');
    expect(statements().version).toBeUndefined();
  });

  it.each<[string, Partial<Dialect>, Partial<ListFacts>, string | undefined]>([
    ['several relations', { lock }, {}, kept],
    ['a database that locks nothing', {}, {}, undefined],
    ['a caller, whose session has one', { lock, session }, {}, undefined],
    ['no snapshots', { lock }, { hasSnapshots: false }, undefined],
    [
      'what varies within a transaction',
      { lock },
      { hasSnapshots: false, varies: { inTransaction: true } },
      kept,
    ],
    [
      'what varies from read to read',
      { lock },
      { hasSnapshots: false, varies: { inTransaction: false } },
      undefined,
    ],
  ])('are a lock of %s as its database has it', (_, dialect, facts, text) => {
    const compiled = statementOf(dialect, facts);
    expect([compiled.count.lock?.sql, compiled.lock?.sql]).toEqual([text, text]);
    expect('lock' in compiled.count).toBe(text !== undefined);
  });

  it('have no lock of their own where rows of one relation do not vary', () => {
    const one = statements({}, { ...plainDialect, lock });
    expect([one.count.lock, one.lock?.sql]).toEqual([undefined, 'keep "notes"']);
    const plan = planOf();
    const facts = { ...plan.facts, varies: { inTransaction: true } };
    const varying = compileQuery({ ...plan, facts }, { ...plainDialect, lock }, OPTIONS);
    expect(varying.count.lock?.sql).toBe('keep "notes"');
  });
});

it('a dialect compiles with the compiler that it is given', () => {
  const kysely = compilerOf(new MysqlQueryCompiler());
  expect(sql`select ${sql.id('a')} = ${1}`.compile(kysely)).toMatchObject({
    sql: 'select `a` = ?',
    parameters: [1],
  });
});
