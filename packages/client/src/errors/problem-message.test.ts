import type { Problem } from '@proj/contract';
import { describe, expect, it } from 'vitest';

import { problemMessage } from './problem-message.ts';

const PROBLEM: Problem = {
  type: '/problems/invalid_request',
  title: 'Title',
  status: 400,
  detail: 'The request has errors.',
  code: 'invalid_request',
  request_id: 'r-1',
};

const UNKNOWN = {
  pointer: '/query_attributes/2',
  code: 'unknown_attribute',
  detail: '"cities" has no attribute named "nmae".',
  did_you_mean: 'name',
} as const;

function messageOf(problem: Partial<Problem>): string {
  return problemMessage({ status: 400, problem: { ...PROBLEM, ...problem }, requestId: 'r-1' });
}

describe('the message of a problem', () => {
  it('has a single error in its line, with its place and what may be meant', () => {
    const message = messageOf({ code: 'unknown_attribute', errors: [UNKNOWN] });
    expect(message).toBe(
      'The service answered 400 unknown_attribute: /query_attributes/2: "cities" has no ' +
        'attribute named "nmae". Did you mean "name"? (request id r-1)',
    );
  });

  it('has a line for each of several errors, whose place is there once', () => {
    const detail = '/page/size: at most 1000.';
    const size = { pointer: '/page/size', code: 'size_too_large', detail, maximum: 1000 } as const;
    expect(messageOf({ errors: [UNKNOWN, size] }).split('\n')).toEqual([
      'The service answered 400 invalid_request: The request has errors. (request id r-1)',
      '- /query_attributes/2: "cities" has no attribute named "nmae". Did you mean "name"?',
      '- /page/size: at most 1000.',
    ]);
  });

  it('has the first five errors and the number of the others', () => {
    const lines = messageOf({ errors: Array.from({ length: 100 }, () => UNKNOWN) }).split('\n');
    expect(lines).toHaveLength(7);
    expect(lines.at(-1)).toBe('- and 95 more');
  });

  it('has one line for an error, cut where it is long', () => {
    const long = { ...UNKNOWN, detail: `No\n such${' x'.repeat(500)}`, did_you_mean: 'y' };
    const message = messageOf({ errors: [long] });
    expect(message).not.toContain('\n');
    expect(message).toContain('/query_attributes/2: No such x x');
    expect(message).toContain('… Did you mean "y"? (request id r-1)');
    expect(message.length).toBeLessThan(500);
  });

  it('says so where there is no problem document', () => {
    expect(problemMessage({ status: 502, problem: null, requestId: null })).toBe(
      'The service answered 502 without a problem document',
    );
  });
});
