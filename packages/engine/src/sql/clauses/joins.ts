import { type RawBuilder, sql } from 'kysely';

import type { Condition, Join, Link } from '../../planning/condition.ts';
import { columnOf, joinedAs } from './column-of.ts';
import type { Dialect, JoinedPair } from '../dialect.ts';

type Expression = RawBuilder<unknown>;

/** The joins of some rows, and how the conditions of their policies are written. */
export interface JoinParts {
  readonly joins: readonly Join[];
  /** The numbers of joins that rows without a match do not pass. */
  readonly inner?: ReadonlySet<number>;
  readonly dialect: Dialect;
  readonly compile: (condition: Condition) => Expression;
}

/**
 * The joins along relations to one, each with the row policy of its target in its condition: a
 * record that is hidden is as one that is not there.
 *
 *     left join "countries" as "j0" on "j0"."id" = "t"."country_id" and ("j0"."open" in (?))
 */
export function joinClauses({ joins, inner, dialect, compile }: JoinParts): Expression {
  const clauses = joins.map((join) => {
    const { number, from, target, policy } = join;
    const same = linkCondition(join, { target: number, owner: from }, dialect);
    const condition = policy === undefined ? same : sql`${same} and ${compile(policy)}`;
    const kind = inner?.has(number) === true ? sql`join` : sql`left join`;
    return sql` ${kind} ${joinedAs(sql.id(...target.path), number)} on ${condition}`;
  });
  return clauses.length === 0 ? sql`` : sql.join(clauses, sql``);
}

/** The joins with these numbers and all that they start from, in the order of the list. */
export function withOrigins(
  joins: readonly Join[],
  numbers: ReadonlySet<number | undefined>,
): Join[] {
  const wanted = new Set(numbers);
  for (const { number, from } of joins.toReversed()) if (wanted.has(number)) wanted.add(from);
  return joins.filter(({ number }) => wanted.has(number));
}

/** By which numbers the two ends of a link are named; undefined is that of the listed rows. */
interface Ends {
  readonly target: number | undefined;
  readonly owner: number | undefined;
}

/** Whether a record holds the key of another one, compared as the index of the key compares. */
export function linkCondition(link: Link, ends: Ends, dialect: Dialect): Expression {
  const pairs = pairsOf(link, ends);
  return sql.join(
    pairs.map((pair) => dialect.joins?.equal(pair) ?? sql`${pair.key} = ${pair.held}`),
    sql` and `,
  );
}

/** The columns that a link compares. */
export function pairsOf({ toOne, owner, target }: Link, ends: Ends): JoinedPair[] {
  return toOne.key.map(({ column, collation }, index) => {
    const held = toOne.columns[index] ?? '';
    return {
      key: columnOf(named(column, ends.target)),
      held: columnOf(named(held, ends.owner)),
      types: {
        key: target.columns.get(column)?.databaseType ?? '',
        held: owner.columns.get(held)?.databaseType ?? '',
      },
      collation,
      operator: toOne.operators[index],
    };
  });
}

function named(column: string, join: number | undefined): Parameters<typeof columnOf>[0] {
  return join === undefined ? { column } : { column, join };
}
