import { describe, expect, it } from 'vitest';
import type { JsonTestResults } from 'vitest/node';

import { withSecondRun } from '../../../scripts/second-run.js';

type File = JsonTestResults['testResults'][number];
type Status = File['assertionResults'][number]['status'];

function file(name: string, tests: Record<string, Status>): File {
  const assertionResults = Object.entries(tests).map(([fullName, status]) => ({
    fullName,
    status,
    failureMessages: status === 'failed' ? ['expected 1 to be 2'] : [],
  }));
  const status = Object.values(tests).includes('failed') ? 'failed' : 'passed';
  return { name, status, message: '', assertionResults } as unknown as File;
}

function report(...testResults: File[]): JsonTestResults {
  const success = testResults.every(({ status }) => status === 'passed');
  return { testResults, success } as unknown as JsonTestResults;
}

describe('the report of a package whose failed files were run again by themselves', () => {
  const first = report(
    file('/a.test.ts', { adds: 'passed', waits: 'skipped' }),
    file('/b.test.ts', { reads: 'failed', writes: 'passed' }),
  );

  it('counts a test that passes now, which is named with its first error', () => {
    const second = report(file('/b.test.ts', { reads: 'passed', writes: 'passed' }));
    const { merged, passedNow } = withSecondRun(first, second);
    expect(merged).toMatchObject({
      numPassedTests: 3,
      numFailedTests: 0,
      numPendingTests: 1,
      success: true,
    });
    expect(passedNow).toHaveLength(1);
    expect(passedNow[0]).toMatch(/b\.test\.ts: reads\n {4}expected 1 to be 2$/);
  });

  it('fails where the test fails again', () => {
    const second = report(file('/b.test.ts', { reads: 'failed', writes: 'passed' }));
    const { merged, passedNow } = withSecondRun(first, second);
    expect(merged).toMatchObject({ numPassedTests: 2, numFailedTests: 1, success: false });
    expect(passedNow).toEqual([]);
  });

  it('fails where another test fails now, or an error belongs to no test', () => {
    const other = report(file('/b.test.ts', { reads: 'passed', writes: 'failed' }));
    expect(withSecondRun(first, other).merged).toMatchObject({ numFailedTests: 1, success: false });
    const good = report(file('/b.test.ts', { reads: 'passed', writes: 'passed' }));
    const { merged } = withSecondRun(first, { ...good, success: false });
    expect(merged).toMatchObject({ numFailedTests: 0, success: false });
  });
});
