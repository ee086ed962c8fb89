import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { ROOT } from '../src/repository.ts';

it.each(['20.19.4', '22.9.0'])('a build with Node %s names the Node that it needs', (version) => {
  const pretend = `Object.defineProperty(process.versions,'node',{value:'${version}'})`;
  const args = ['--import', `data:text/javascript,${pretend}`, join(ROOT, 'scripts/build.js')];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  expect([status, stderr]).toEqual([
    1,
    `Dynamic Query needs Node 22.16 or later; this is ${version}. ` +
      'Install a later one, or run: npx -y pnpm install --optional\n',
  ]);
});
