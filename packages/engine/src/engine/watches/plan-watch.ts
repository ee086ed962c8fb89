import { hash } from 'node:crypto';

import { WATCH_EVERY_MS } from '@proj/contract';

import type { RelationPath } from '../../catalogue/relation.ts';
import { InvalidQueryError } from '../../errors.ts';
import type { Condition } from '../../planning/condition.ts';
import { versionScope } from '../../planning/list-rows.ts';
import { planWatch } from '../../planning/plan.ts';
import { type FollowedRows, followedRows } from '../../reading/followed/followed-rows.ts';
import type { EngineRequest } from '../answer-kind.ts';
import type { Serving } from '../served-catalogue.ts';

/** So many records of a list are read to find a change where a read may be without a version. */
const FIRST_RECORDS = 100;

/** A list as it is asked to be watched. */
export interface WatchRequest extends EngineRequest {
  readonly seesVersion: boolean;
  /** Whether the database was found to report no version. Default: false. */
  readonly isUnversioned?: boolean | undefined;
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
  readonly page: EngineRequest;
  /** The relations whose version is that of the list. */
  readonly relations: readonly RelationPath[];
  /** Which rows of a followed relation the list has; undefined where it is not one of such. */
  readonly followed: WatchedRows | undefined;
  /** Whether what the list reads has a version. The list is read at an interval otherwise. */
  readonly isVersioned: boolean;
  /** Whether callers see that version. */
  readonly hasVersion: boolean;
  /** How many milliseconds are between two states at least. */
  readonly everyMs: number;
  /** What the catalogue was when this was planned. */
  readonly serving: Serving;
}

/**
 * Plans how to watch a list.
 *
 * @throws {InvalidQueryError} with every error of the request
 */
export function planWatched(
  { body, grant, seesVersion, isUnversioned = false }: WatchRequest,
  serving: Serving,
): PlannedWatch {
  const planning = planWatch(body, serving.catalogue, grant);
  if (!planning.ok) throw new InvalidQueryError(planning.errors);
  const { plan, everyMs = WATCH_EVERY_MS.default, countLimit, visible } = planning;
  const { facts } = plan;
  const isVersioned = facts.versioned && !isUnversioned;
  const { watch_every_ms: _, ...list } = body as { readonly watch_every_ms?: unknown };
  const hasVersion = isVersioned && seesVersion && plan.session === undefined;
  const size = hasVersion ? 1 : Math.min(FIRST_RECORDS, visible.maxPageSize);
  const page = { body: { ...list, page: { page: 1, size } }, grant };
  return {
    key: hash('sha256', JSON.stringify([grant.key, list, seesVersion, isVersioned]), 'base64url'),
    page,
    relations: versionScope(plan),
    followed: isVersioned && countLimit === undefined ? watchedRows(page, serving) : undefined,
    isVersioned,
    hasVersion,
    everyMs,
    serving,
  };
}

function watchedRows({ body, grant }: EngineRequest, serving: Serving): WatchedRows | undefined {
  const { query } = serving.preparer.prepare(body, grant);
  const rows = followedRows(query);
  return rows && { ...rows, condition: query.plan.condition };
}
