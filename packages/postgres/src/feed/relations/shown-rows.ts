import { hash } from 'node:crypto';

import type { RelationPath, Statement, StatementSession } from '@proj/engine/database';

import { SNAPSHOT_VERSION_TEXT } from '../../states/version.ts';
import { proofOf } from '../../versions/definition.ts';

/** Rows that the database shows to some callers. */
export interface ShownRows {
  /** The same for callers who are shown the same rows only. */
  readonly name: string;
  /** Has only the settings that decide which rows are shown. */
  readonly session: StatementSession;
  /** As in `RoleAccess`; undefined for all rows. */
  readonly definition: string | undefined;
}

export interface FollowedRows {
  readonly relation: RelationPath;
  readonly shown: ShownRows | undefined;
}

/** A prepared query's session recurs. */
const known = new WeakMap<StatementSession, ShownRows>();

/** Undefined where more data decides which rows these are. */
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

/** Of the data's version in a caller's stamp. */
export const VERSION_OF_CALLER = 5;

/** For a caller, it adds whether the shown rows are still decided alike, and the data's version. */
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
