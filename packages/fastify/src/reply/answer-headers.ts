import type { Answer, AnswerState, Engine, ReplicaCall } from '@proj/engine';

import { deprecationHeaders } from './deprecation.ts';
import { type Ask, principalOf } from '../endpoint/ask.ts';

/** Undefined where the primary is to answer: without replicas, or for a role that has none. */
export function replicaCall(
  ask: Ask,
  { replicas }: Pick<Engine, 'replicas'>,
): ReplicaCall | undefined {
  if (replicas === undefined || principalOf(ask).usesReplicas !== true) return undefined;
  return { atLeast: ask.header('data-at-least') };
}

export interface AnswerHeaders {
  /** Of a reply with a body and of one without. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of a reply with a body only. */
  readonly bodyHeaders: Readonly<Record<string, string>>;
}

/** What headers say of an answer. */
type AnswerFacts = Pick<
  Answer,
  'version' | 'deprecations' | 'state' | 'approximate' | 'milliseconds'
>;

/**
 * The headers of an answer. `Data-Version` is sent only with a body: a caller who gets 304 holds a
 * reply with a version of the same data.
 */
export function answerHeaders(answer: AnswerFacts, ask: Ask): AnswerHeaders {
  const { hidesDataVersion = false } = principalOf(ask);
  const { version, deprecations, state, approximate } = answer;
  return {
    headers: {
      ...(state !== undefined && stateHeaders(state)),
      ...(approximate && APPROXIMATE),
      ...deprecationHeaders(deprecations),
    },
    bodyHeaders: {
      'server-timing': serverTiming(ask.accessMs, answer),
      ...(version !== undefined && !hidesDataVersion && { 'data-version': version }),
    },
  };
}

/** That records and total may be of different states. */
export const APPROXIMATE = { 'data-state': 'approximate' };

/** The age is rounded up, so that the state is never older than it says. */
function stateHeaders({ ageMs, position }: AnswerState): Record<string, string> {
  return { 'data-age': String(Math.ceil(ageMs) / 1000), 'data-position': position };
}

function serverTiming(
  auth: number,
  { milliseconds: { plan, rows, count } }: Pick<AnswerFacts, 'milliseconds'>,
): string {
  return Object.entries({ auth, plan, rows, count })
    .map(([name, duration]) => `${name};dur=${duration.toFixed(3)}`)
    .join(', ');
}
