import type { Ask } from './ask.ts';
import { HttpProblem } from './problems.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Refuses callers that take no JSON (RFC 9110 §12.5.1), before any work. */
export function acceptsJson(ask: Ask): void {
  if (ask.accepts(['application/json']) === undefined)
    throw new HttpProblem('not_acceptable', 'This path answers with application/json.');
}
