import type { Answer, AnswerState, Engine, ReplicaCall } from '@proj/engine';

import { deprecationHeaders } from './deprecation.ts';
import { type Ask, principalOf } from '../endpoint/ask.ts';

/** Undefined where the primary must answer: without replicas, or for a role that may use none. */
export function replicaCall(
  ask: Ask,
  { replicas }: Pick<Engine, 'replicas'>,
): ReplicaCall | undefined {
  if (replicas === undefined || principalOf(ask).usesReplicas !== true) return undefined;
  return { atLeast: ask.header('data-at-least') };
}

export interface AnswerHeaders {
  /** Of replies with and without a body. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of replies with a body only. */
  readonly bodyHeaders: Readonly<Record<string, string>>;
}

type AnswerFacts = Pick<
  Answer,
  'version' | 'deprecations' | 'state' | 'approximate' | 'milliseconds'
>;

/** `Data-Version` needs a body: a caller who gets 304 holds a version of the same data. */
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

/** Records and total may be of different states. */
export const APPROXIMATE = { 'data-state': 'approximate' };

/** Rounds the age up, so that the state is never older than it says. */
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
