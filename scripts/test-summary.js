// Sums the test reports of all packages into the closing line `N passed, N failed`, and names what failed.
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

import { testReports } from './test-reports.js';

/** Enough for a comparison and the first places of the stack. */
const LINES_OF_ERROR = 15;

/**
 * Adds up the reports of the packages that have one of the scripts; a package without a report did
 * not finish, which counts as a failure.
 *
 * @param {string[]} scripts
 */
export function testSummary(scripts) {
  /** @type {string[]} */
  const failures = [];
  const totals = { passed: 0, failed: 0, skipped: 0, failures };
  for (const [folder, report] of testReports(scripts)) {
    if (report === undefined) {
      totals.failed += 1;
      failures.push(`${folder}: it did not finish`);
      continue;
    }
    totals.passed += report.numPassedTests;
    totals.failed += report.numFailedTests + (report.success || report.numFailedTests > 0 ? 0 : 1);
    totals.skipped += report.numPendingTests + report.numTodoTests;
    failures.push(...failuresOf(report));
  }
  return totals;
}

/**
 * Of each test that failed its file, its title and the beginning of its error.
 *
 * @param {import('vitest/node').JsonTestResults} report
 * @returns {string[]}
 */
function failuresOf({ testResults }) {
  return testResults.flatMap(({ name, assertionResults, message, status }) => {
    const file = relative(process.cwd(), name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0 && status === 'failed') return [`${file}\n${beginningOf(message)}`];
    return failed.map(
      ({ fullName, failureMessages }) =>
        `${file}: ${fullName}\n${beginningOf(failureMessages?.join('\n') ?? '')}`,
    );
  });
}

/** @param {string} text */
function beginningOf(text) {
  const lines = stripVTControlCharacters(text).split('\n').slice(0, LINES_OF_ERROR);
  return lines.map((line) => `    ${line.slice(0, 300)}`).join('\n');
}
