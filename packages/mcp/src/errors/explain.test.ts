import { ProblemError } from '@proj/client';
import { expect, it } from 'vitest';

import { explain } from './explain.ts';

const explained = (code: string): string => {
  const title = 'Invalid';
  const problem = { type: `/problems/${code}`, title, status: 400, code, detail: 'No.' };
  return explain(
    new ProblemError({
      status: 400,
      requestId: 'r1',
      retryAfterMs: null,
      problem: { ...problem, request_id: 'r1', errors: [] },
    }),
  );
};

it('a problem that another call would not have comes with what to do next', () => {
  expect(explained('operator_not_applicable')).toBe(
    'operator_not_applicable: No. describe_model says which filters an attribute takes.',
  );
});

it('a code that is not known comes alone', () => {
  for (const code of ['newer', 'constructor']) expect(explained(code)).toBe(`${code}: No.`);
});
