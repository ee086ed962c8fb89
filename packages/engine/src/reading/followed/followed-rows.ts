import type { RelationPath } from '../../catalogue/relation.ts';
import type { PreparedQuery } from '../../sql/prepared/prepared-query.ts';
import type { StatementSession } from '../../sql/statement.ts';

/** The rows of a relation that are followed, as the service reads them or a caller does. */
export interface FollowedRows {
  readonly relation: RelationPath;
  /** As whom they are read; undefined where that is the service. */
  readonly session: StatementSession | undefined;
  /** The same for the same rows. */
  readonly name: string;
}

/** The rows that a list is of; undefined where no change feed describes them. */
export function followedRows({ plan, statements }: PreparedQuery): FollowedRows | undefined {
  const { followable: relation } = plan.facts;
  if (relation === undefined) return undefined;
  if (plan.session === undefined)
    return { relation, session: undefined, name: JSON.stringify(relation) };
  const { session } = statements;
  const name = JSON.stringify([relation, session?.role, session?.shownBy]);
  return { relation, session, name };
}

/** Whether a list has all rows of its relation: the log itself says how many there are. */
export function isLogged({ plan: { condition, session } }: PreparedQuery): boolean {
  return condition === undefined && session === undefined;
}
