import { hash } from 'node:crypto';

import { WATCH_EVERY_MS } from '@proj/contract';

import type { RelationPath } from '../../catalogue/relation.ts';
import { InvalidQueryError, QueryFailedError } from '../../errors.ts';
import type { Condition } from '../../planning/condition.ts';
import { versionScope } from '../../planning/list-rows.ts';
import { planWatch, type Plan } from '../../planning/plan.ts';
import { type FollowedRows, followedRows } from '../../reading/followed/followed-rows.ts';
import type { AskedBody } from '../answer-kind.ts';
import type { Serving } from '../served-catalogue.ts';

/** So many records of a list are read to find a change where a read may be without a version. */
const FIRST_RECORDS = 100;

/** A list as it is asked to be watched. */
export interface AskedWatch extends AskedBody {
  readonly seesVersion: boolean;
}

/** The rows of a relation that a watched list has. */
export interface WatchedRows extends FollowedRows {
  /** Which rows; all where undefined. */
  readonly condition: Condition | undefined;
}

/** How a list is watched. */
export interface PlannedWatch {
  /** The same for equal lists of equal grants, in every process over the same database. */
  readonly key: string;
  /** The request for the first records and the total. */
  readonly page: AskedBody;
  /** The relations whose version is that of the list. */
  readonly relations: readonly RelationPath[];
  /** Which rows of a followed relation the list has; undefined where it is not one of such. */
  readonly followed: WatchedRows | undefined;
  /** Whether callers see the version of the data. */
  readonly hasVersion: boolean;
  /** How many milliseconds are between two states at least. */
  readonly everyMs: number;
  /** The error where that version is not to be had. */
  readonly withoutVersion: () => QueryFailedError;
  /** What the catalogue was when this was planned. */
  readonly serving: Serving;
}

/**
 * Plans how to watch a list.
 *
 * @throws {InvalidQueryError} with every error of the request
 * @throws {QueryFailedError} `not_watchable` when what the list reads has no version
 */
export function planWatched(
  { body, grant, seesVersion }: AskedWatch,
  serving: Serving,
): PlannedWatch {
  const planning = planWatch(body, serving.catalogue, grant);
  if (!planning.ok) throw new InvalidQueryError(planning.errors);
  const { plan, everyMs = WATCH_EVERY_MS.default, countLimit, visible } = planning;
  const { facts } = plan;
  const withoutVersion = (): QueryFailedError => notWatchable(plan);
  if (!facts.versioned) throw withoutVersion();
  const { watch_every_ms: _, ...list } = body as { readonly watch_every_ms?: unknown };
  const hasVersion = seesVersion && plan.session === undefined;
  const size = hasVersion ? 1 : Math.min(FIRST_RECORDS, visible.maxPageSize);
  const page = { body: { ...list, page: { page: 1, size } }, grant };
  return {
    key: hash('sha256', JSON.stringify([grant.key, list, seesVersion]), 'base64url'),
    page,
    relations: versionScope(plan),
    followed: countLimit === undefined ? watchedRows(page, serving) : undefined,
    hasVersion,
    everyMs,
    withoutVersion,
    serving,
  };
}

function watchedRows({ body, grant }: AskedBody, serving: Serving): WatchedRows | undefined {
  const { query } = serving.preparer.prepare(body, grant);
  const rows = followedRows(query);
  return rows && { ...rows, condition: query.plan.condition };
}

/** The reason is for the caller: it names nothing but the model. */
function notWatchable({ session, name, facts }: Plan): QueryFailedError {
  if (session !== undefined)
    return failure(`What the database lets this role see of "${name}" has no version.`);
  return failure(
    facts.versioned
      ? 'The database reports no version of its data.'
      : `"${name}" has no version, as a view that depends on more than tables.`,
  );
}

function failure(reason: string): QueryFailedError {
  return new QueryFailedError('not_watchable', reason);
}
