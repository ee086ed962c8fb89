import type { ProblemCode } from '@proj/contract';
import { QueryFailedError } from '@proj/engine';

import { HttpProblem, problemOf } from './problems.ts';
import type { Answer, Ask } from './ask.ts';

/** Logs with its cause what an operator can act on. @param publicUrl without a trailing slash */
export function problemAnswer(
  ask: Pick<Ask, 'id' | 'log'> & { problem?: Ask['problem'] },
  error: unknown,
  publicUrl: string | undefined,
): Answer & { readonly body: string } {
  const problem = noteFailure(error, ask, 'the request failed');
  ask.problem = problem.code;
  return {
    status: problem.status,
    headers: {
      'cache-control': 'no-store',
      'x-request-id': ask.id,
      'x-content-type-options': 'nosniff',
      ...problem.headers,
      'content-type': 'application/problem+json; charset=utf-8',
    },
    body: JSON.stringify(problem.toDocument(ask.id, publicUrl)),
  };
}

/** The problem behind an error, logged where it concerns the operator. */
export function noteFailure(
  error: unknown,
  { log }: Pick<Ask, 'log'>,
  message: string,
): HttpProblem {
  const problem = problemOf(error);
  if (!concernsOperator(problem, error)) return problem;
  const { code, cause = problem } = problem;
  // These come in great numbers and are all alike, so they are logged without a stack.
  if (UNDER_LOAD.has(code) && cause instanceof Error)
    log.warn({ code, reason: cause.message }, message);
  else {
    const words = cause instanceof QueryFailedError ? cause.databaseWords : undefined;
    log.error({ err: cause, code, ...(words !== undefined && { database_says: words }) }, message);
  }
  return problem;
}

/** The service is overloaded or about to stop. */
const UNDER_LOAD: ReadonlySet<ProblemCode> = new Set([
  'no_common_state',
  'overloaded',
  'query_timeout',
  'shutting_down',
]);

/** Not logged despite a 5xx status; a missing model is logged once when it is lost. */
const UNREMARKABLE: ReadonlySet<ProblemCode> = new Set([
  'not_implemented',
  'http_version_too_old',
  'model_unavailable',
]);

/** Problems below 500 whose cause only the operator can find in the database. */
const OF_THE_DATABASE: ReadonlySet<ProblemCode> = new Set([
  'data_error',
  'session_refused',
  'policy_failed',
]);

/** Not for callers who disconnected. */
function concernsOperator({ code, status }: HttpProblem, error: unknown): boolean {
  if (error instanceof QueryFailedError && error.code === 'cancelled') return false;
  return OF_THE_DATABASE.has(code) || (status >= 500 && !UNREMARKABLE.has(code));
}
