import { type RawBuilder, sql } from 'kysely';

type Expression = RawBuilder<unknown>;

/**
 * In which bin a value is, from 1 on: 0 for a value in none, NULL for NULL. The bounds are halved,
 * so that a value is compared with few of them:
 *
 *     case
 *       when "x" is null then null
 *       when "x" between ? and ? then case when "x" < ? then 1 else 2 end
 *       else 0
 *     end
 *
 * @param bounds in order, one more than there are bins; some of the first may be equal
 */
export function binOf(value: Expression, bounds: readonly Expression[]): Expression {
  const isBetween = sql`${value} between ${bounds[0]} and ${bounds.at(-1)}`;
  const bin = binAmong({ value, bounds }, 1, bounds.length - 1);
  return sql`case when ${value} is null then null when ${isBetween} then ${bin} else 0 end`;
}

interface Binned {
  readonly value: Expression;
  readonly bounds: readonly Expression[];
}

function binAmong(binned: Binned, first: number, last: number): Expression {
  if (first === last) return sql.lit(first);
  const middle = Math.floor((first + last) / 2);
  const { value, bounds } = binned;
  const [lower, upper] = [binAmong(binned, first, middle), binAmong(binned, middle + 1, last)];
  return sql`case when ${value} < ${bounds[middle]} then ${lower} else ${upper} end`;
}
