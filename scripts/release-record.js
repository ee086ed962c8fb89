import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';

import { testReports } from './test-reports.js';

/** @typedef {import('vitest/node').JsonTestResults['testResults'][number]} FileResult */

const DOCUMENT = 'docs/release-suite.md';
const [BEGIN, END] = ['<!-- record -->', '<!-- /record -->'];

/** What runs only before a release has a row for each file. */
const ALONE = /^apps\/release\/|\.release\.test\.ts$/;

/** The programs of Debian that tests start, as far as they are installed. */
const PROGRAMS =
  'mariadb-server galera-4 redis-server pgbouncer pgpool2 patroni haproxy ' +
  'chromium-headless-shell firefox-esr buildah systemd prometheus';

/**
 * Writes the result of the run that has just ended into the document, between its marks.
 *
 * @param {string[]} scripts those that the run was of
 * @param {number} began when, in milliseconds since 1970
 */
export function recordRelease(scripts, began) {
  const subjects = subjectsOf(scripts);
  const passed = subjects.reduce((sum, row) => sum + row.passed, 0);
  const total = subjects.reduce((sum, row) => sum + row.tests, 0);
  const head = [
    `${new Date(began).toISOString().slice(0, 10)}: ${passed} of ${total} tests passed, in ` +
      `${minutes(Date.now() - began)} minutes. ${versions().join(', ')}.`,
    '',
    '| subject | tests | passed | minutes |',
    '| ------- | ----: | -----: | ------: |',
  ];
  const rows = subjects.map(
    ({ name, tests, passed: good, ms }) => `| ${name} | ${tests} | ${good} | ${minutes(ms)} |`,
  );
  const text = readFileSync(DOCUMENT, 'utf8');
  const [before, rest = ''] = text.split(BEGIN);
  const [, after = ''] = rest.split(END);
  const table = [...head, ...rows].join('\n');
  writeFileSync(DOCUMENT, `${before}${BEGIN}\n\n${table}\n\n${END}${after}`);
  execFileSync('oxfmt', [DOCUMENT], { shell: process.platform === 'win32' });
}

/** @param {string[]} scripts */
function subjectsOf(scripts) {
  return testReports(scripts).flatMap(([folder, report]) => {
    if (report === undefined)
      return [{ name: `\`${folder}\` did not finish`, tests: 1, passed: 0, ms: 0 }];
    const files = report.testResults.map((file) => ({ ...file, path: pathOf(file) }));
    const alone = files.filter(({ path }) => ALONE.test(path));
    const others = files.filter(({ path }) => !ALONE.test(path));
    const rows = alone.map((file) => subject(`\`${file.path}\``, [file]));
    return others.length === 0 ? rows : [subject(`\`${folder}\``, others), ...rows];
  });
}

/**
 * @param {string} name
 * @param {FileResult[]} files
 */
function subject(name, files) {
  const states = files.flatMap(({ assertionResults }) =>
    assertionResults.map(({ status }) => status),
  );
  const ran = states.filter((status) => status === 'passed' || status === 'failed');
  const begin = Math.min(...files.map(({ startTime }) => startTime));
  const end = Math.max(...files.map(({ endTime }) => endTime));
  const good = ran.filter((status) => status === 'passed').length;
  return { name, tests: ran.length, passed: good, ms: end - begin };
}

/** @param {FileResult} file */
function pathOf({ name }) {
  return relative(process.cwd(), name).replaceAll('\\', '/');
}

function versions() {
  /** @type {{ optionalDependencies: Record<string, string> }} */
  const { optionalDependencies } = JSON.parse(
    readFileSync('packages/test-servers/package.json', 'utf8'),
  );
  const [postgres = ''] = Object.values(optionalDependencies);
  return [`Node ${process.version.slice(1)}`, `PostgreSQL ${postgres.split('-')[0]}`, ...debian()];
}

/** Name and version of each installed program; nothing on other systems. */
function debian() {
  try {
    const args = ['--show', '--showformat', '${db:Status-Status} ${Package} ${Version}\n'];
    const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    return lines(execFileSync('dpkg-query', [...args, ...PROGRAMS.split(' ')], options));
  } catch (error) {
    // It ends with 1 where one is missing, and prints the others.
    return lines(String(error.stdout ?? ''));
  }
}

/** @param {string} printed */
function lines(printed) {
  return printed
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([status]) => status === 'installed')
    .map(([, name, version]) => `${name} ${version}`);
}

/** @param {number} ms */
function minutes(ms) {
  return (ms / 60_000).toFixed(1);
}
