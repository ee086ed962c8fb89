import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

import { testReports } from './test-reports.js';

/** @typedef {import('vitest/node').JsonTestResults} Report */
/** @typedef {Report['testResults'][number]} FileResult */

/** More than this is no accident. */
const MOST_FILES = 5;

/** A wrong reply is no accident, however seldom it is. */
const NEVER_AGAIN = /\/test\/truth\//;

/**
 * Runs the few test files that failed once more, by themselves, and keeps the result of this run in
 * the report of their package. Ten thousand tests with browsers and six kinds of servers share the
 * processors of a small machine; what passes by itself is named at the end of the run, and is to be
 * corrected, but does not hold up all else.
 *
 * @param {string[]} scripts the scripts of the packages that run tests
 * @param {Record<string, string>} env what the tests are told
 * @returns {string[]} the tests that passed only now
 */
export function runFailedAgain(scripts, env) {
  const failed = testReports(scripts).flatMap(([folder, report]) =>
    report === undefined ? [] : [{ folder, report, files: failedFiles(report) }],
  );
  const count = failed.reduce((sum, { files }) => sum + files.length, 0);
  if (count === 0 || count > MOST_FILES) return [];
  return failed.flatMap(({ folder, report, files }) => {
    if (files.length === 0) return [];
    runFiles(folder, files, env);
    const [, again] = testReports(scripts).find(([other]) => other === folder) ?? [];
    if (again === undefined) return [];
    const { merged, passedNow } = withSecondRun(report, again);
    writeFileSync(`${folder}/test-report.json`, JSON.stringify(merged));
    return passedNow;
  });
}

/**
 * @param {Report} first
 * @param {Report} second of the files that failed
 * @returns {{ merged: Report, passedNow: string[] }}
 */
export function withSecondRun(first, second) {
  const seconds = new Map(second.testResults.map((file) => [file.name, file]));
  const testResults = first.testResults.map((file) => seconds.get(file.name) ?? file);
  const passedNow = first.testResults.flatMap((file) =>
    seconds.get(file.name)?.status === 'passed' ? failuresOf(file) : [],
  );
  /** @param {string[]} statuses */
  const count = (...statuses) =>
    testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => statuses.includes(status)).length;
  const merged = {
    ...first,
    testResults,
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    numPendingTests: count('skipped', 'pending', 'disabled'),
    numTodoTests: count('todo'),
    success: second.success && testResults.every(({ status }) => status === 'passed'),
  };
  return { merged, passedNow };
}

/**
 * @param {Report} report
 * @returns {string[]}
 */
function failedFiles({ testResults }) {
  return testResults
    .filter(({ name, status }) => status === 'failed' && !NEVER_AGAIN.test(name))
    .map(({ name }) => name);
}

/** @param {FileResult} file */
function failuresOf({ name, assertionResults, message }) {
  const failed = assertionResults.filter(({ status }) => status === 'failed');
  const file = relative(process.cwd(), name);
  if (failed.length === 0) return [`${file}\n    ${message}`];
  return failed.map(
    ({ fullName, failureMessages }) => `${file}: ${fullName}\n    ${failureMessages?.[0] ?? ''}`,
  );
}

/**
 * @param {string} folder
 * @param {string[]} files
 * @param {Record<string, string>} env
 */
function runFiles(folder, files, env) {
  console.log(`\nAgain, by themselves: ${files.map((file) => relative('.', file)).join(', ')}`);
  spawnSync('vitest', ['run', '--maxWorkers=1', ...files], {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  });
}
