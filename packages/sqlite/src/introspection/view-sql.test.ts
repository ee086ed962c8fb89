import { expect, it } from 'vitest';

import { lowered, refusalOf } from './view-sql.ts';

it.each([
  'create view v as select "limit", [group], `distinct`, \'union\' from t -- limit 1',
  'create view v as select \'it\'\'s limit\' as a, "x"" union" /* group\nby */ from t',
  'create view v as select limits, "a" is distinct from b, c IS NOT DISTINCT FROM d from t',
  'create view v as select 1 from (select 1) join (with w as (select 2) select 3) on 1',
  'create view v as with w as materialized (select 1 from t) select 1 from w',
  'create view v as select 1 from t where a in (select 1) and exists (select 2) and x is (1)',
])('keywords in quotes, comments and longer names are not keywords: %s', (sql) => {
  expect(refusalOf(sql)).toBeUndefined();
});

it.each([
  ["create view v as select '--' from t LIMIT 1", 'it cuts off rows'],
  ['create view v as select 1 from t--\nlimit\t1', 'it cuts off rows'],
  ['create view v as select "--" from t/**/group/**/by a', 'it groups rows'],
  ['create view v as select/* */distinct a from t', 'it leaves out rows that are equal'],
  ['create view v as select a from t union all select b from t', /several selections/],
  ['create view v as values (1), (2)', /several selections/],
  ['create view v as select (select a from t) from t', /first row of a subquery/],
  ['create view v as select a is not distinct from (select a from t) from t', /first row/],
  ['create view v as select "in"((select a from t)) from t', /first row of a subquery/],
  ['create view v as select a = (/* */with w as (select 1) select 1) from t', /first row/],
])('parts that depend on the order of rows are refused: %s', (sql, reason) => {
  expect(refusalOf(sql)).toMatch(reason);
});

it('letters beyond ASCII keep their case, as for SQLite', () => {
  expect(lowered('ÄbC_\u212a')).toBe('Äbc_\u212a');
});
