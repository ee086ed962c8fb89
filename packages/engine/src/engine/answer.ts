import { hash } from 'node:crypto';

import type { ReplyPage } from '@proj/contract';
import { pageMetadata, type PageRequest } from '@proj/paging';

import type { Grant } from '../catalogue/grant.ts';
import type { DeprecationSettings } from '../catalogue/model-settings.ts';
import type { Attribute } from '../catalogue/model.ts';
import type { Answer, BodyNotes, FacetsAnswer } from '../engine-types.ts';
import type { ListRows } from '../planning/list-rows.ts';
import type { DigestedPage } from '../reading/page-reader.ts';
import { type FoundPage, pageQuestion, type Question, recordQuestion } from '../reading/reader.ts';
import { Callers } from '../sources/read-call.ts';
import type { BoundedRows, PageRows } from '../sources/source.ts';
import { type PreparedPage, rangeOf } from '../sql/prepared/preparer.ts';
import { InvalidQueryError } from '../errors.ts';
import { facetsQuestion, type FacetsReply } from '../reading/facets/facet-reader.ts';
import { publishPlan } from '../tracing.ts';
import type { ChainQuestion } from './replicated-reads.ts';
import type { Serving } from './served-catalogue.ts';

/** 132 bits of base64url are not equal by chance. */
const TAG_LETTERS = 22;

export interface EngineRequest {
  readonly body: unknown;
  readonly grant: Grant;
  readonly notes?: BodyNotes | undefined;
}

export type AnswerMeta = Pick<PageRows, 'version' | 'position' | 'milliseconds'>;

export type AnswerBase = Omit<Answer, 'result' | 'page' | 'tag' | 'facts'>;

interface AskedList extends Pick<ListRows, 'name' | 'facts'> {
  readonly attributes: readonly Attribute[];
}

export interface Asked<Read, Own> extends ChainQuestion<Read> {
  readonly list: AskedList;
  /** @throws {InvalidQueryError} where the request cannot be answered with what was read */
  readonly answer: (read: Read, maxBytes: number) => Own;
}

export type Ask<Read, Own> = (serving: Serving, request: EngineRequest) => Asked<Read, Own>;

interface Noted<Read, Own> extends Pick<EngineRequest, 'grant'>, Pick<Serving, 'catalogue'> {
  readonly by: Ask<Read, Own>;
  readonly asked: Asked<Read, Own>;
}

/** What the body asked when it came before; undefined where that was for another grant. */
export function askedBefore<Read, Own>(
  by: Ask<Read, Own>,
  { catalogue }: Serving,
  { grant, notes }: EngineRequest,
): Asked<Read, Own> | undefined {
  const noted = notes?.asked as Noted<Read, Own> | undefined;
  const isSame = noted?.by === by && noted.grant === grant && noted.catalogue === catalogue;
  return isSame ? noted.asked : undefined;
}

export function deprecationsOf({ facts, attributes }: AskedList): DeprecationSettings[] {
  return [facts, ...attributes].flatMap(({ deprecated }) => deprecated ?? []);
}

export function planTimed<Prepared extends { readonly list: Pick<ListRows, 'name'> }>(
  prepare: () => Prepared,
): { readonly prepared: Prepared; readonly planMs: number } {
  const startedAt = performance.now();
  const prepared = prepare();
  const endedAt = performance.now();
  publishPlan({ startedAt, endedAt, model: prepared.list.name });
  return { prepared, planMs: endedAt - startedAt };
}

type PageAnswer = Omit<Answer, keyof AnswerBase>;

export const askPages: Ask<DigestedPage, PageAnswer> = ({ preparer }, { body, grant }) => {
  const prepared = preparer.prepare(body, grant);
  const { query, place, size, countLimit } = prepared;
  const question =
    'record' in place
      ? recordQuestion(query, place.record, size)
      : pageQuestion(query, rangeOf({ page: place.page, size }), countLimit);
  const list = query.plan;
  const read = {
    model: list.name,
    models: list.models.map(({ name }) => name),
    attributes: list.attributes.map(({ name }) => name),
    size: prepared.size,
  };
  return {
    list,
    question,
    mayScan: (reading) => reading.mayScan(question),
    kept: ({ replies }, caller) => replies.pages.find(question, callOf(question, caller)),
    read: ({ pages }, call) => pages.read(question, call),
    answer: (page, maxBytes) => {
      const { rows } = page;
      const number = Number(pageOf(prepared, page).page);
      const facts = { ...read, page: number, rows };
      return { ...answerOf(prepared, page, maxBytes), facts };
    },
  };
};

/** Who asks matters only where replies are those of a session. */
function callOf({ session }: Question, caller: string | undefined) {
  return session && { callers: new Callers(caller) };
}

function answerOf(
  prepared: PreparedPage,
  page: DigestedPage,
  maxBytes: number,
): Omit<PageAnswer, 'facts'> {
  if (page.json === undefined) throw replyTooLarge('/page/size', maxBytes);
  if ('offset' in page && page.offset === undefined) {
    // The same whether a filter, a row policy or the table excludes the record.
    const pointer = '/page/containing';
    const detail = `${pointer}: the list has no record with this key.`;
    throw new InvalidQueryError([{ pointer, code: 'record_not_in_list', detail }]);
  }
  const metadata = metadataOf(prepared, page);
  return {
    result: page.json,
    page: metadata,
    // The page keeps its digest, so each request hashes only metadata.
    tag: () => {
      const whole = hash('sha256', page.digest() + JSON.stringify(metadata), 'base64url');
      return whole.slice(0, TAG_LETTERS);
    },
  };
}

function metadataOf(prepared: PreparedPage, found: FoundPage): ReplyPage {
  const page = pageOf(prepared, found);
  const { countLimit } = prepared;
  if ('hasNext' in found) return boundedMetadata(page, countLimit ?? 0, found);
  const exact = pageMetadata(page, found.total);
  if (countLimit === undefined) return exact;
  // A record's place was found by a count, even without a wanted total.
  return boundedMetadata(page, countLimit, { total: found.total, hasNext: exact.has_next });
}

function pageOf({ place, size }: PreparedPage, found: FoundPage): PageRequest {
  if ('page' in place) return { page: place.page, size };
  const offset = ('offset' in found && found.offset) || 0n;
  return { page: offset / BigInt(size) + 1n, size };
}

/** Leaves out a total beyond the limit even if it is known. */
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

const TOO_LARGE = {
  '/page/size': ['the records of this page', 'Ask for a smaller page or for fewer attributes.'],
  '/query_facets': ['the values of these facets', 'Ask for fewer values or facets.'],
} as const;

function replyTooLarge(pointer: keyof typeof TOO_LARGE, maximum: number): InvalidQueryError {
  const [what, remedy] = TOO_LARGE[pointer];
  const detail = `${pointer}: ${what} take more than ${maximum} bytes. ${remedy}`;
  return new InvalidQueryError([{ pointer, code: 'reply_too_large', detail, maximum }]);
}

type FacetsAsked = Asked<FacetsReply, Omit<FacetsAnswer, keyof AnswerBase>>;

export function askFacets({ preparer }: Serving, { body, grant }: EngineRequest): FacetsAsked {
  const prepared = preparer.prepareFacets(body, grant);
  const question = facetsQuestion(prepared);
  const { name: model, models, facts } = prepared.plan;
  const attributes = [...new Set(prepared.plan.facets.map(({ attribute }) => attribute))];
  const read = {
    model,
    models: models.map(({ name }) => name),
    attributes: attributes.map(({ name }) => name),
  };
  return {
    list: { name: model, facts, attributes },
    question,
    mayScan: (reading) => reading.mayScanFacets(question),
    kept: ({ replies }, caller) => replies.facets.find(question, callOf(question, caller)),
    read: ({ facets }, call) => facets.read(question, call),
    answer: ({ json, digest, rows }, maxBytes) => {
      if (json === undefined) throw replyTooLarge('/query_facets', maxBytes);
      return { json, tag: () => digest().slice(0, TAG_LETTERS), facts: { ...read, rows } };
    },
  };
}
