import type { Grant } from '../catalogue/grant.ts';
import type { Attribute } from '../catalogue/model.ts';
import type { Answer } from '../engine-types.ts';
import type { ListRows } from '../planning/list-rows.ts';
import type { PageRows } from '../sources/source.ts';
import type { ChainQuestion } from './replicated-reads.ts';
import type { Serving } from './served-catalogue.ts';

/** So many letters of base64url are not equal by chance: 132 bits. */
export const TAG_LETTERS = 22;

/** A request as the engine is asked it. */
export interface EngineRequest {
  /** As JSON.parse returns it, unchecked. */
  readonly body: unknown;
  readonly grant: Grant;
}

/**
 * What a chain returns with every answer: the version and position of the data, and the time taken.
 */
export type AnswerMeta = Pick<PageRows, 'version' | 'position' | 'milliseconds'>;

/** What every answer has, of whatever kind. */
export type AnswerBase = Pick<
  Answer,
  'version' | 'milliseconds' | 'deprecations' | 'state' | 'approximate'
>;

/** Which rows are asked for, and what of them. */
export interface AskedList extends Pick<ListRows, 'name' | 'facts'> {
  readonly attributes: readonly Attribute[];
}

/** A kind of requests that chains answer: how it is prepared, asked, and made an answer. */
export interface AnswerKind<Prepared, Read extends AnswerMeta, Own> {
  /**
   * @throws {InvalidQueryError} with every error of the request
   * @throws {QueryFailedError} `model_unavailable` when a part of the model is missing
   */
  prepare: (serving: Serving, request: EngineRequest) => Prepared;
  asked: (prepared: Prepared) => AskedList;
  question: (prepared: Prepared) => ChainQuestion<Read>;
  /**
   * What an answer of this kind has beside what every answer has.
   *
   * @throws {InvalidQueryError} where the request cannot be answered with what was read
   */
  answer: (prepared: Prepared, read: Read, maxBytes: number) => Own;
}
