import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { MAIN } from './process.ts';

it('dq refuses a Node that is too old in one sentence that names what package.json asks for', () => {
  const { engines } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  ) as { engines: { node: string } };
  const old = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.11.0' } })`;
  const prepared = `data:text/javascript,${encodeURIComponent(old)}`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', prepared, MAIN, '--version'],
    { encoding: 'utf8' },
  );
  const oldest = engines.node.replace('>=', '');
  expect(stderr).toBe(
    `dq: Node 20.11.0 is too old. Install Node ${oldest} or later: https://nodejs.org/en/download\n`,
  );
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
});
