import { sql } from 'kysely';

import type { Condition, Join, Link, NamedColumn } from '../../planning/condition.ts';
import { columnOf, columnsByJoin, innerRows, joinedAs } from './relation-rows.ts';
import type { Dialect, JoinedPair } from '../dialect.ts';
import type { Expression } from '../statement.ts';

export interface JoinParts {
  readonly joins: readonly Join[];
  /** What the statement names, in any of its rows. */
  readonly named: readonly NamedColumn[];
  readonly inner?: ReadonlySet<number>;
  readonly dialect: Dialect;
  readonly compile: (condition: Condition) => Expression;
}

/** The row policy of each target is in its condition: a hidden record is like a missing one. */
export function joinClauses({ joins, inner, dialect, ...parts }: JoinParts): Expression {
  const columns = columnsByJoin(parts.named, joins);
  const clauses = joins.map((join) => {
    const { number, from, target, policy } = join;
    const same = linkCondition(join, { target: number, owner: from }, dialect);
    const condition = policy === undefined ? same : sql`${same} and ${parts.compile(policy)}`;
    const kind = inner?.has(number) === true ? sql`join` : sql`left join`;
    return sql` ${kind} ${joinedAs(innerRows(target, columns(number)), number)} on ${condition}`;
  });
  return sql.join(clauses, sql``);
}

export function withOrigins(
  joins: readonly Join[],
  numbers: ReadonlySet<number | undefined>,
): Join[] {
  const wanted = new Set(numbers);
  for (const { number, from } of joins.toReversed()) if (wanted.has(number)) wanted.add(from);
  return joins.filter(({ number }) => wanted.has(number));
}

/** The joins of a link's ends; undefined for the listed rows. */
interface Ends {
  readonly target: number | undefined;
  readonly owner: number | undefined;
}

export function linkCondition(link: Link, ends: Ends, dialect: Dialect): Expression {
  const pairs = pairsOf(link, ends);
  return sql.join(
    pairs.map((pair) => dialect.joins?.equal(pair) ?? sql`${pair.key} = ${pair.held}`),
    sql` and `,
  );
}

export function pairsOf({ toOne, owner, target }: Link, ends: Ends): JoinedPair[] {
  return toOne.key.map(({ column, collation }, index) => {
    const held = toOne.columns[index] ?? '';
    return {
      key: columnOf({ column, join: ends.target }),
      held: columnOf({ column: held, join: ends.owner }),
      types: {
        key: target.columns.get(column)?.databaseType ?? '',
        held: owner.columns.get(held)?.databaseType ?? '',
      },
      collation,
      operator: toOne.operators[index],
    };
  });
}
