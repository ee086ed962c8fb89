import { sql } from 'kysely';

import type { SelectedRecords } from '../../sql/dialect.ts';
import type { Expression } from '../../sql/statement.ts';
import { sqlBlock } from '../text/sql-block.ts';

/**
 * The JSON texts of several lists in one row. The limit keeps PostgreSQL from computing each anew
 * wherever it is named.
 *
 * @param textOf selects the JSON text of the records that a statement selects as `c0`, `c1` …
 */
export function selectInOneRow(
  lists: readonly SelectedRecords[],
  textOf: (fields: SelectedRecords['fields'], rows: Expression) => Expression,
  { maxBytes, others = [] }: { maxBytes: number; others?: readonly Expression[] },
): Expression {
  const names = lists.map((_, index) => sql.id(`j${index}`));
  const texts = lists.map(({ fields, columns, rest, when }, index) => {
    const named = columns.map((column, place) => sql`${column} as ${sql.id(`c${place}`)}`);
    const text = sql`(${textOf(fields, sql`select ${sql.join(named)} ${rest}`)})`;
    const found = when === undefined ? text : sql`case when ${when} then ${text} end`;
    return sql`${found} as ${names[index]}`;
  });
  const lengths = names.map((name) => sql`coalesce(octet_length(${name}), 0)`);
  const fits = sql.id('fits');
  const shown = names.map((name) => sql`case when ${fits} then ${name} end`);
  return sqlBlock`
    select ${sql.join([...shown, ...others])}
    from (
      select *, ${sql.join(lengths, sql` + `)} <= ${sql.lit(maxBytes)} as ${fits}
      from (select ${sql.join(texts)} limit 1) as ${sql.id('r')}
    ) as ${sql.id('f')}`;
}

/**
 * The bin of a value, from 1; 0 for none, NULL for NULL. A binary search compares with few bounds.
 * NULL and what is no number fail each comparison, and so reach the last bin:
 *
 *     case
 *       when "x" < ? then case when "x" >= ? then 1 else 0 end
 *       else case when "x" <= ? then 2 when "x" is null then null else 0 end
 *     end
 *
 * @param bounds in order, one more than there are bins; some of the first may be equal
 */
export function binOf(value: Expression, bounds: readonly Expression[]): Expression {
  const among = (first: number, last: number): Expression => {
    if (first === last) return binIf(value, bounds, first);
    const middle = Math.floor((first + last) / 2);
    const [lower, upper] = [among(first, middle), among(middle + 1, last)];
    return sql`case when ${value} < ${bounds[middle]} then ${lower} else ${upper} end`;
  };
  return among(1, bounds.length - 1);
}

function binIf(value: Expression, bounds: readonly Expression[], bin: number): Expression {
  const isLeast = sql`${value} >= ${bounds[0]}`;
  const isGreatest = sql`${value} <= ${bounds.at(-1)}`;
  const isLast = bin === bounds.length - 1;
  const isIn = [...(bin === 1 ? [isLeast] : []), ...(isLast ? [isGreatest] : [])];
  if (isIn.length === 0) return sql.lit(bin);
  const orNull = isLast ? sql` when ${value} is null then null` : sql``;
  return sql`case when ${sql.join(isIn, sql` and `)} then ${sql.lit(bin)}${orNull} else 0 end`;
}
