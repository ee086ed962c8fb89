import { hash } from 'node:crypto';

import { WATCH_EVERY_MS } from '@proj/contract';

import type { RelationPath } from '../../catalogue/relation.ts';
import { InvalidQueryError } from '../../errors.ts';
import { versionScope } from '../../planning/list-rows.ts';
import { planWatch } from '../../planning/plan.ts';
import { type FollowedRows, followedRows } from '../../reading/followed/followed-rows.ts';
import { requestText } from '../../sql/prepared/preparer.ts';
import type { EngineRequest } from '../answer.ts';
import type { Serving } from '../served-catalogue.ts';

/** Records to read for a change where a read may lack a version. */
const FIRST_RECORDS = 100;

export interface WatchRequest extends EngineRequest {
  readonly seesVersion: boolean;
  /** The database was found to report no version. Default: false. */
  readonly isUnversioned?: boolean | undefined;
}

/** Without the caches of its time, as callers keep it for as long as they watch. */
export interface PlannedWatch extends Pick<Serving, 'catalogue'> {
  /** Equal for equal lists and grants, in every process over the database. */
  readonly key: string;
  readonly page: EngineRequest;
  readonly relations: readonly RelationPath[];
  /** Undefined where no followed relation has the list's rows. */
  readonly followed: FollowedRows | undefined;
  /** Otherwise the list is read at an interval. */
  readonly isVersioned: boolean;
  /** Whether callers see that version. */
  readonly hasVersion: boolean;
  readonly everyMs: number;
}

export function planWatched(
  { body, grant, seesVersion, isUnversioned = false }: WatchRequest,
  { catalogue, preparer }: Serving,
): PlannedWatch {
  const planning = planWatch(body, { catalogue, grant });
  if (!planning.ok) throw new InvalidQueryError(planning.errors);
  const { plan, request, countLimit, visible } = planning;
  const { watch_every_ms: everyMs = WATCH_EVERY_MS.default } = request;
  const { facts } = plan;
  const isVersioned = facts.versioned && !isUnversioned;
  const { watch_every_ms: _, ...list } = body as { readonly watch_every_ms?: unknown };
  const hasVersion = isVersioned && seesVersion && plan.session === undefined;
  const size = hasVersion ? 1 : Math.min(FIRST_RECORDS, visible.maxPageSize);
  const page = { body: { ...list, page: { page: 1, size } }, grant };
  return {
    key: hash('sha256', requestText([grant.key, list, seesVersion, isVersioned]), 'base64url'),
    page,
    relations: versionScope(plan),
    followed:
      isVersioned && countLimit === undefined
        ? followedRows(preparer.prepare(page.body, grant).query)
        : undefined,
    isVersioned,
    hasVersion,
    everyMs,
    catalogue,
  };
}
