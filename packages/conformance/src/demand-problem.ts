import { membersOf } from './subject/json-object.ts';
import { demand } from './demand.ts';
import type { Reply } from './subject/send.ts';

/** Which refusal a rule expects. */
export interface ExpectedProblem {
  /** What was sent, for the message. */
  readonly of: string;
  /** @default 400 */
  readonly status?: number;
  readonly code: string;
  /** Where the error is; some error of the list must be of the code and point there. */
  readonly pointer?: string;
}

/**
 * @throws {Violation} unless the reply has this status and this problem code. Another rule checks
 *   the rest of the document.
 */
export function demandProblem(
  { status, json }: Reply,
  { of, status: expected = 400, code, pointer }: ExpectedProblem,
): void {
  demand(status === expected, `${of}: expected status ${expected}; got ${status}`);
  const problem = membersOf(json);
  const errors = Array.isArray(problem['errors']) ? problem['errors'].map(membersOf) : [];
  const codes = [problem['code'], ...errors.map((error) => error['code'])];
  demand(
    codes.includes(code),
    `${of}: expected the code ${code}; got ${JSON.stringify(problem['code'])}`,
  );
  if (pointer === undefined) return;
  const pointed = errors.some((error) => error['code'] === code && error['pointer'] === pointer);
  demand(
    pointed,
    `${of}: expected an error ${code} at ${pointer}; got ${JSON.stringify(problem['errors'])}`,
  );
}
