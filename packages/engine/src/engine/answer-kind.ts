import type { Grant } from '../catalogue/grant.ts';
import type { Attribute } from '../catalogue/model.ts';
import type { Answer } from '../engine-types.ts';
import type { ListRows } from '../planning/list-rows.ts';
import type { PageRows } from '../sources/source.ts';
import type { ChainQuestion } from './replicated-reads.ts';
import { publishPlan } from '../tracing.ts';
import type { Serving } from './served-catalogue.ts';
import type { DeprecationSettings } from '../catalogue/model-settings.ts';

/** 132 bits of base64url are not equal by chance. */
export const TAG_LETTERS = 22;

export interface EngineRequest {
  /** As JSON.parse returns it, unchecked. */
  readonly body: unknown;
  readonly grant: Grant;
}

/** What a chain returns with every answer. */
export type AnswerMeta = Pick<PageRows, 'version' | 'position' | 'milliseconds'>;

export type AnswerBase = Pick<
  Answer,
  'version' | 'milliseconds' | 'deprecations' | 'state' | 'approximate'
>;

export interface AskedList extends Pick<ListRows, 'name' | 'facts'> {
  readonly attributes: readonly Attribute[];
}

export interface AnswerKind<Prepared, Read extends AnswerMeta, Own> {
  /**
   * @throws {InvalidQueryError} with every error of the request
   * @throws {QueryFailedError} `model_unavailable` when a part of the model is missing
   */
  prepare: (serving: Serving, request: EngineRequest) => Prepared;
  asked: (prepared: Prepared) => AskedList;
  question: (prepared: Prepared) => ChainQuestion<Read>;
  /** @throws {InvalidQueryError} where the request cannot be answered with what was read */
  answer: (prepared: Prepared, read: Read, maxBytes: number) => Own;
}

export function deprecationsOf({ facts, attributes }: AskedList): DeprecationSettings[] {
  return [facts, ...attributes].flatMap(({ deprecated }) => deprecated ?? []);
}

export function planTimed<Prepared>(
  prepare: () => Prepared,
  asked: (prepared: Prepared) => Pick<AskedList, 'name'>,
): { readonly prepared: Prepared; readonly planMs: number } {
  const startedAt = performance.now();
  const prepared = prepare();
  const endedAt = performance.now();
  publishPlan({ startedAt, endedAt, model: asked(prepared).name });
  return { prepared, planMs: endedAt - startedAt };
}
