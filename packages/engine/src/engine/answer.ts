import { pageMetadata } from '@proj/paging';

import type { DeprecationSettings } from '../catalogue/model-settings.ts';
import type { Answer, AnswerState } from '../engine-types.ts';
import type { PreparedPage } from '../sql/query-preparer.ts';
import type { PageRows } from '../sources/source.ts';

/** A page that was read, and what it took. */
export interface ReadPage {
  /** The text of the JSON array of records. */
  readonly json: string;
  readonly page: PageRows;
  /** The version of the data as callers see it. */
  readonly version: string | undefined;
  /** How long planning took, in milliseconds. */
  readonly planMs: number;
  /** Of which state it is, where replicas were allowed to give it. */
  readonly state?: AnswerState | undefined;
}

/** The answer to a request whose page was read. */
export function buildAnswer(prepared: PreparedPage, read: ReadPage): Answer {
  const { page, planMs } = read;
  return {
    result: read.json,
    page: pageMetadata(prepared.page, page.total),
    version: read.version,
    milliseconds: { plan: planMs, ...page.milliseconds },
    facts: factsOf(prepared, page.rows),
    deprecations: deprecationsOf(prepared),
    ...(read.state !== undefined && { state: read.state }),
  };
}

function factsOf({ query: { plan }, page }: PreparedPage, rows: number): Answer['facts'] {
  return {
    model: plan.model.name,
    attributes: plan.attributes.map(({ name }) => name),
    ...page,
    rows,
  };
}

function deprecationsOf({ query: { plan } }: PreparedPage): DeprecationSettings[] {
  return [plan.model, ...plan.attributes].flatMap(({ deprecated }) => deprecated ?? []);
}
