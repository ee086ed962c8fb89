import { hash } from 'node:crypto';

import type { ReplyPage } from '@proj/contract';
import { pageMetadata } from '@proj/paging';

import type { Answer, AnswerState } from '../engine-types.ts';
import type { DigestedPage } from '../reading/digested-reader.ts';
import type { FoundPage } from '../reading/reader.ts';
import type { BoundedRows } from '../sources/source.ts';
import type { PreparedPage } from '../sql/query-preparer.ts';
import { deprecationsOf } from './deprecations.ts';

/** A page that was read, and what it took. */
export interface ReadPage {
  /** The text of the JSON array of records. */
  readonly json: string;
  readonly page: DigestedPage;
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
  const metadata = metadataOf(prepared, page);
  return {
    result: read.json,
    page: metadata,
    tag: () => tagOf(page, metadata),
    version: read.version,
    milliseconds: { plan: planMs, ...page.milliseconds },
    facts: factsOf(prepared, page.rows),
    deprecations: deprecationsOf(prepared.query.plan),
    ...(read.state !== undefined && { state: read.state }),
  };
}

function metadataOf({ page, countLimit = 0 }: PreparedPage, found: FoundPage): ReplyPage {
  return 'hasNext' in found
    ? boundedMetadata(page, countLimit, found)
    : pageMetadata(page, found.total);
}

/** What a caller did not ask for is not shown, also where it is known. */
function boundedMetadata(
  { page, size }: PreparedPage['page'],
  limit: number,
  { total, hasNext }: BoundedRows,
): ReplyPage {
  const isShown = limit > 0 && total !== undefined && total <= BigInt(limit);
  const isMore = limit > 0 && !isShown;
  return {
    page: String(page),
    size: String(size),
    total: isShown ? String(total) : null,
    ...(isMore && { total_at_least: String(BigInt(limit) + 1n) }),
    has_next: hasNext,
  };
}

/** So many letters of base64url are not equal by chance: 132 bits. */
const TAG_LETTERS = 22;

/** The digest is kept with the page, so that only the metadata is hashed for each request. */
function tagOf({ digest }: DigestedPage, metadata: Answer['page']): string {
  const whole = hash('sha256', digest.text + JSON.stringify(metadata), 'base64url');
  return whole.slice(0, TAG_LETTERS);
}

function factsOf({ query: { plan }, page }: PreparedPage, rows: number): Answer['facts'] {
  return {
    model: plan.model.name,
    attributes: plan.attributes.map(({ name }) => name),
    ...page,
    rows,
  };
}
