import type { OutgoingHttpHeaders } from 'node:http';

import { type Problem, type ProblemCode, problemSchema, PROBLEMS } from '@proj/contract';
import { expect } from 'vitest';

/** A reply, from injection or from a socket. */
export interface Reply {
  readonly statusCode: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

/** Traces of the inside that no reply may show. */
const LEAKS =
  /\n\s+at |node_modules|node:internal|\bselect\s|\bsqlite\b|SQLITE_ERR|FST_ERR|HPE_|errcode/i;

/** The problem document of a reply, which must have this code, be whole and leak nothing. */
export function readProblem(reply: Reply, code: ProblemCode): Problem {
  const { status, title } = PROBLEMS[code];
  const problem = problemSchema.parse(JSON.parse(reply.body));
  expect({ status: reply.statusCode, code: problem.code }).toEqual({ status, code });
  expect(problem).toMatchObject({ type: `/problems/${code}`, title, status });
  expect(Object.keys(JSON.parse(reply.body) as object).slice(0, 6)).toEqual([
    'type',
    'title',
    'status',
    'detail',
    'code',
    'request_id',
  ]);
  expect(reply.headers['content-type']).toMatch(/^application\/problem\+json(;|$)/);
  expect(reply.headers).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': problem.request_id,
  });
  expect(problem.request_id).not.toBe('');
  expect(problem.detail).not.toBe('');
  expect(reply.body).not.toMatch(LEAKS);
  return problem;
}

declare module 'vitest' {
  interface Matchers {
    /**
     * The reply is the contract's problem document of this code; the first of its errors has this
     * pointer.
     */
    toBeProblem(code: ProblemCode, pointer?: string): void;
  }
}

/** The matcher, for `expect.extend`. */
export const problemMatcher = {
  toBeProblem(reply: Reply, code: ProblemCode, pointer?: string) {
    try {
      const found = readProblem(reply, code).errors?.[0]?.pointer;
      if (pointer !== undefined && found !== pointer)
        throw new Error(`The first error is at ${found}, not at ${pointer}.`);
      return { pass: true, message: () => `The reply is the problem ${code}.` };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return {
        pass: false,
        message: () =>
          `The reply is not the problem ${code}: ${reason}\n${reply.body.slice(0, 500)}`,
      };
    }
  },
};
