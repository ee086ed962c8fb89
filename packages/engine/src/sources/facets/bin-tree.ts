import { type RawBuilder, sql } from 'kysely';

type Expression = RawBuilder<unknown>;

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
