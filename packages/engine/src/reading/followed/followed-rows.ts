import type { RelationPath } from '../../catalogue/relation.ts';
import type { Condition } from '../../planning/condition.ts';
import type { PreparedQuery } from '../../sql/prepared/prepared-query.ts';
import type { StatementSession } from '../../sql/statement.ts';

export interface FollowedRows {
  readonly relation: RelationPath;
  readonly session: StatementSession | undefined;
  /** Equal for all lists of the same rows. */
  readonly name: string;
  readonly condition: Condition | undefined;
}

export function followedRows({ plan, statements }: PreparedQuery): FollowedRows | undefined {
  const { followable: relation } = plan.facts;
  if (relation === undefined) return undefined;
  const { session } = statements;
  const name = JSON.stringify([relation, session?.role, session?.shownBy]);
  return { relation, session, name, condition: plan.condition };
}

/** Whether the log itself counts the list: it has all rows of its relation. */
export function isLogged({ plan: { condition, session } }: PreparedQuery): boolean {
  return condition === undefined && session === undefined;
}
