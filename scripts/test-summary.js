// Sums the test reports of all packages into the closing line `N passed, N failed`, and names what failed.
import { globSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Enough for a comparison and the first places of the stack. */
const LINES_OF_ERROR = 15;

/**
 * Adds up vitest's own JSON reports of the packages that have one of the scripts; a package without
 * a report did not finish, which counts as a failure.
 *
 * @param {string[]} scripts
 */
export function testSummary(scripts) {
  /** @type {string[]} */
  const failures = [];
  const totals = { passed: 0, failed: 0, skipped: 0, failures };
  for (const manifest of globSync('{packages,apps}/*/package.json')) {
    const own = JSON.parse(readFileSync(manifest, 'utf8')).scripts ?? {};
    if (!scripts.some((script) => script in own)) continue;
    const report = readReport(manifest.replace('package.json', 'test-report.json'));
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

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {
      numPassedTests: 0,
      numFailedTests: 0,
      numPendingTests: 0,
      numTodoTests: 0,
      success: false,
      testResults: [],
    };
  }
}
