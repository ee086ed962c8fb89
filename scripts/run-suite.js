import { spawnSync } from 'node:child_process';
import { globSync, rmSync } from 'node:fs';

import { runFailedAgain } from './second-run.js';
import { testSummary } from './test-summary.js';

/**
 * Builds and tests every package through turbo, and closes with one line that counts the tests.
 *
 * @param {string[]} scripts the scripts of the packages that run tests
 * @param {Record<string, string>} env what the tests are told
 * @param {string[]} args further arguments of turbo
 * @returns {boolean} whether all passed
 */
export function runSuite(scripts, env = {}, args = []) {
  // A report left by an earlier run must not stand in for a package that fails before it reports.
  for (const report of globSync('{packages,apps}/*/test-report.json')) rmSync(report);

  // One package at a time: each runs its files side by side, and tests that start servers crowd small
  // machines as it is.
  const options = ['--continue', '--concurrency=1', '--output-logs=new-only'];
  const isRun = turbo([...scripts, ...options, ...args], env);
  const passedNow = isRun ? [] : runFailedAgain(scripts, env);
  const { passed, failed, skipped, failures } = testSummary(scripts);
  // Said again at the end, where a long log is read first.
  for (const test of passedNow) console.log(`\nPASSED ONLY BY ITSELF ${test}`);
  for (const failure of failures) console.log(`\nFAILED ${failure}`);
  console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  const isGood = (isRun || passedNow.length > 0) && failed === 0;
  process.exitCode = isGood ? 0 : 1;
  return isGood;
}

/**
 * @param {string[]} args
 * @param {Record<string, string>} env
 * @returns {boolean} whether each task ended with 0
 */
export function turbo(args, env = {}) {
  const { status } = spawnSync('turbo', ['run', ...args], {
    stdio: 'inherit',
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', ...env },
    shell: process.platform === 'win32',
  });
  return status === 0;
}
