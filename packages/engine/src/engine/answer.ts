import { hash } from 'node:crypto';

import type { ReplyPage } from '@proj/contract';
import { pageMetadata, type PageRequest } from '@proj/paging';

import type { Answer, AnswerState } from '../engine-types.ts';
import type { DigestedPage } from '../reading/digested-reader.ts';
import type { FoundPage } from '../reading/reader.ts';
import type { BoundedRows } from '../sources/source.ts';
import type { PreparedPage } from '../sql/prepared/query-preparer.ts';
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
    facts: factsOf(prepared, page),
    deprecations: deprecationsOf(prepared.query.plan),
    ...(read.state !== undefined && { state: read.state }),
  };
}

function metadataOf(prepared: PreparedPage, found: FoundPage): ReplyPage {
  const page = pageOf(prepared, found);
  const { countLimit } = prepared;
  if ('hasNext' in found) return boundedMetadata(page, countLimit ?? 0, found);
  const exact = pageMetadata(page, found.total);
  if (countLimit === undefined) return exact;
  // The place of a record was found by a count, also where less than the total is asked for.
  return boundedMetadata(page, countLimit, { total: found.total, hasNext: exact.has_next });
}

/** The page that was asked for, or that was found to have the record. */
function pageOf({ place, size }: PreparedPage, found: FoundPage): PageRequest {
  if ('page' in place) return { page: place.page, size };
  const offset = ('offset' in found && found.offset) || 0n;
  return { page: offset / BigInt(size) + 1n, size };
}

/** What a caller did not ask for is not shown, also where it is known. */
function boundedMetadata(
  { page, size }: PageRequest,
  limit: number,
  { total, hasNext }: Pick<BoundedRows, 'total' | 'hasNext'>,
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
export const TAG_LETTERS = 22;

/** The digest is kept with the page, so that only the metadata is hashed for each request. */
function tagOf({ digest }: DigestedPage, metadata: Answer['page']): string {
  const whole = hash('sha256', digest.text + JSON.stringify(metadata), 'base64url');
  return whole.slice(0, TAG_LETTERS);
}

function factsOf(prepared: PreparedPage, found: FoundPage): Answer['facts'] {
  const { query, size } = prepared;
  const { plan } = query;
  return {
    model: plan.name,
    attributes: plan.attributes.map(({ name }) => name),
    page: Number(pageOf(prepared, found).page),
    size,
    rows: found.rows,
  };
}
