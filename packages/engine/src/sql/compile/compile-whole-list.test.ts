import { sql } from 'kysely';
import { expect, it } from 'vitest';

import { planOf } from '../../../test/unit/models.ts';
import { plainDialect } from '../../../test/unit/plain-dialect.ts';
import type { Comparison } from '../../planning/condition.ts';
import type { ListFacts } from '../../planning/list-rows.ts';
import type { Dialect } from '../dialect.ts';
import { compileRecordPage } from './compile-record.ts';
import { compileMisfit, compileWholeList } from './compile-whole-list.ts';

const PLAN = planOf({
  query_attributes: ['id', 'word', 'rank'],
  query_filter: { attribute: 'rank', op: 'gt', value: 1 },
  query_sort: [{ attribute: 'word' }],
});
const SOME = ' from "notes" as "t" where ("t"."rank" > ?)';
const ONCE = `with "once" as materialized (select "t"."id", "t"."word", "t"."rank"${SOME})`;
const ORDER = '"t"."word" asc nulls last, "t"."id" asc nulls last';
const COLUMNS = '"t"."id", "t"."word", "t"."rank"';
const provesShort: Dialect['atOnce'] = ({ shortPageProof }) =>
  sql`${sql.lit(String(shortPageProof))}`;
const VARYING = { hasSnapshots: false, varies: { inTransaction: false } };

const without = (facts: Partial<ListFacts>) => ({ ...PLAN, facts: { ...PLAN.facts, ...facts } });
const plain = (text = ''): string => text.replaceAll(/\s+/g, ' ');

const countedOf = (facts: Partial<ListFacts>): string =>
  plain(compileWholeList(without(facts), plainDialect).countedRecords?.sql);
const misfits: Dialect['misfits'] = (column, { name }) =>
  name === 'id' ? undefined : sql`misfits(${column})`;
const found = (cases: string): string => `select coalesce(min(case ${cases} end), 0)${SOME}`;
const listed = (rows: string): string =>
  `"list" as materialized (select "t"."id" as "c0", "t"."word" as "c1", "t"."rank" as "c2", row_number() over (order by ${ORDER}) - 1 as "n", case when ("t"."id" in (?)) then 1 else 0 end as "is_record"${rows})`;

it('a whole list is read with its count, beside it or, of one state, in its statement', () => {
  const { records, count, countedRecords, fields } = compileWholeList(PLAN, plainDialect);
  const texts = [records, count].map((one) => one.sql);
  expect(texts).toEqual([`each ${COLUMNS}${SOME} order by ${ORDER}`, `select count(*)${SOME}`]);
  expect(countedRecords).toBeUndefined();
  expect(fields).toBe(PLAN.attributes);
  expect(countedOf({ hasSnapshots: false })).toBe(
    `each ${COLUMNS}, total(select count(*)${SOME})${SOME} order by ${ORDER}`,
  );
  expect(countedOf(VARYING)).toBe(
    `${ONCE} select * from (each ${COLUMNS}, total(select count(*) from "once" as "t") from "once" as "t" order by ${ORDER}) as "s"`,
  );
});

it('the first attribute with a value that does not fit is found in lists with snapshots', () => {
  const dialect = { ...plainDialect, misfits };
  const [word, rank] = ['when misfits("t"."word") then 2', 'when misfits("t"."rank") then 3'];
  expect(compileMisfit(PLAN, dialect, () => true)?.sql).toBe(found(`${word} ${rank}`));
  expect(compileMisfit(PLAN, dialect, ({ name }) => name === 'rank')?.sql).toBe(found(rank ?? ''));
  expect(compileMisfit(PLAN, dialect, () => false)).toBeUndefined();
  expect(compileMisfit(PLAN, plainDialect, () => true)).toBeUndefined();
  expect(compileMisfit(without({ hasSnapshots: false }), dialect, () => true)).toBeUndefined();
});

it('a record’s page is found by its number in the list, which is evaluated once', () => {
  const [attribute] = PLAN.attributes;
  const record = { attribute, op: 'eq', values: [7n] } as Comparison;
  const textOf = (plan: typeof PLAN): string =>
    plain(compileRecordPage(plan, plainDialect, { record, size: 10, maxBytes: 99 }).sql);
  const rank = '(select min("n") from "list" where "is_record" = 1)';
  const page =
    `select "r".*, (select count(*) from "list"), ${rank} from (at_most(99) ` +
    `select "t"."c0", "t"."c1", "t"."c2" from "list" as "t" ` +
    `where "n" - "n" % 10 = ${rank} - ${rank} % 10 order by "n" limit ? offset ?) as "r"`;
  expect(textOf(PLAN)).toBe(`with ${listed(SOME)} select * from (${page}) as "s"`);
  const dialect = { ...plainDialect, atOnce: provesShort };
  const { sql: text } = compileRecordPage(PLAN, dialect, { record, size: 10, maxBytes: 99 });
  expect(text).toContain("from ('false')");
  expect(textOf(without(VARYING))).toBe(
    `${ONCE}, ${listed(' from "once" as "t"')} select * from (${page}) as "s"`,
  );
});
