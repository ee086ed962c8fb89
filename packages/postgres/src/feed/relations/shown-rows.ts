import { hash } from 'node:crypto';

import type { RelationPath, Statement, StatementSession } from '@proj/engine/database';

import { SNAPSHOT_VERSION_TEXT } from '../../states/version.ts';
import { proofOf } from '../../versions/definition.ts';

/** The rows of a relation that the database shows to some of its callers. */
export interface ShownRows {
  /** The same for callers who are shown the same rows, and for no others. */
  readonly name: string;
  /** As whom they are read: it has no settings but those that decide which rows these are. */
  readonly session: StatementSession;
  /** As in `RoleAccess`; undefined where they are all rows. */
  readonly definition: string | undefined;
}

/** The rows of a relation that are followed. */
export interface FollowedRows {
  readonly relation: RelationPath;
  /** Undefined where the service reads them. */
  readonly shown: ShownRows | undefined;
}

/** A session is that of a prepared query, which is asked again and again. */
const known = new WeakMap<StatementSession, ShownRows>();

/** Undefined where more is read to decide which rows these are. */
export function shownRows(session: StatementSession): ShownRows | undefined {
  const { shownBy } = session;
  if (shownBy === undefined) return undefined;
  const before = known.get(session);
  if (before !== undefined) return before;
  const { definition, settings } = shownBy;
  const named = Object.entries(settings).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const name = hash('sha256', JSON.stringify([session.role, definition, named]), 'base64url');
  const others = Object.keys(session.settings).map((other) => [other, '']);
  const own = { ...session, settings: { ...Object.fromEntries(others), ...settings } };
  const shown = { name, session: own, definition };
  known.set(session, shown);
  return shown;
}

/** The place of the version of the data in the stamp of a read as a caller. */
export const VERSION_OF_CALLER = 5;

/**
 * The stamp of a read. As a caller it says too whether the rows that are shown are decided as they
 * were when that was looked at, and the version of the data.
 */
export function stampOfRows(stamp: Statement, { relation: path, shown }: FollowedRows): Statement {
  if (shown === undefined) return stamp;
  const { sql, parameters } = stamp;
  const { definition } = shown;
  const proof = definition === undefined ? 'true' : proofOf({ path, definition });
  return {
    sql: `select s.*, (${proof})::text, ${SNAPSHOT_VERSION_TEXT} from (${sql}) as s`,
    parameters,
  };
}
