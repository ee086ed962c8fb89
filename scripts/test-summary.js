// Sums the test reports of all packages into the closing line `N passed, N failed`.
import { globSync, readFileSync } from 'node:fs';

/**
 * Adds up vitest's own JSON reports; a package without a report did not finish, which counts as a
 * failure.
 */
export function testSummary() {
  const totals = { passed: 0, failed: 0, skipped: 0 };
  for (const manifest of globSync('{packages,apps}/*/package.json')) {
    if (!JSON.parse(readFileSync(manifest, 'utf8')).scripts?.test) continue;
    const report = readReport(manifest.replace('package.json', 'test-report.json'));
    totals.passed += report.numPassedTests;
    totals.failed += report.numFailedTests + (report.success || report.numFailedTests > 0 ? 0 : 1);
    totals.skipped += report.numPendingTests + report.numTodoTests;
  }
  return totals;
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
    };
  }
}
