import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { MAIN } from './server-process.ts';

/** Runs the program in a Node that was prepared by a line of JavaScript. */
function program(prepare: string, ...args: string[]) {
  const prepared = `data:text/javascript,${encodeURIComponent(prepare)}`;
  return spawnSync(process.execPath, ['--import', prepared, MAIN, ...args], { encoding: 'utf8' });
}

/** Asks for help in a Node that warns meanwhile. */
function helpWithWarning(message: string, type: string) {
  return program(
    `setImmediate(() => process.emitWarning('${message}', '${type}'))`,
    'serve',
    '--help',
  );
}

const MANIFEST = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
  engines: { node: string };
};

it('the program refuses a Node that is too old in one sentence', () => {
  const old = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.11.0' } })`;
  const { status, stdout, stderr } = program(old, '--version');
  const oldest = MANIFEST.engines.node.replace('>=', '');
  expect(stderr).toBe(
    `dynamic-query: Node 20.11.0 is too old. Install Node ${oldest} or later: https://nodejs.org/en/download\n`,
  );
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
});

it('--version prints the version of the package', () => {
  expect(program('', '--version')).toMatchObject({
    status: 0,
    stdout: `${MANIFEST.version}\n`,
    stderr: '',
  });
});

it('licenses prints the licences of the packages in the program', () => {
  const { status, stdout, stderr } = program('', 'licenses');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^kysely\n\n.*MIT License/ms);
  expect(stdout).toMatch(/^zod\n\n/m);
});

describe('of the warnings of Node the program prints', () => {
  it('not the one that SQLite is experimental, as Node 22 says', () => {
    const { stderr, status } = helpWithWarning(
      'SQLite is an experimental feature and might change at any time',
      'ExperimentalWarning',
    );
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  });

  it.each([
    ['Type Stripping is an experimental feature', 'ExperimentalWarning'],
    ['SQLite is deprecated', 'DeprecationWarning'],
  ])('every other, such as: %s', (message, type) => {
    expect(helpWithWarning(message, type).stderr).toContain(message);
  });
});
