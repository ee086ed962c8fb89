import { spawnSync } from 'node:child_process';
import { globSync, rmSync } from 'node:fs';

import { testSummary } from './test-summary.js';

/**
 * Builds and tests every package through turbo, and closes with one line that counts the tests. The
 * arguments of the command are handed on to turbo.
 *
 * @param {string[]} scripts the scripts of the packages that run tests
 * @param {Record<string, string>} env what the tests are told
 */
export function runSuite(scripts, env = {}) {
  // A report left by an earlier run must not stand in for a package that fails before it reports.
  for (const report of globSync('{packages,apps}/*/test-report.json')) rmSync(report);

  // One package at a time: each runs its files side by side, and tests that start servers crowd small
  // machines as it is.
  const options = ['--continue', '--concurrency=1', '--output-logs=new-only'];
  const { status } = spawnSync('turbo', ['run', ...scripts, ...options, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', ...env },
    shell: process.platform === 'win32',
  });
  const { passed, failed, skipped, failures } = testSummary(scripts);
  // Said again at the end, where a long log is read first.
  for (const failure of failures) console.log(`\nFAILED ${failure}`);
  console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  process.exitCode = status === 0 && failed === 0 ? 0 : 1;
}
