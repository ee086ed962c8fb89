import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

import { expect, test } from 'vitest';

const MODULE = new URL('../dist/processes/closed-output.js', import.meta.url);

const PROGRAM = `
  import { endWithoutReader } from ${JSON.stringify(MODULE.href)};
  endWithoutReader();
  setInterval(() => console.log('a line'), 10);`;

test('a bench whose output nobody reads on ends without a word', async () => {
  const bench = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  bench.stdout.destroy();
  const [[code], printed] = await Promise.all([once(bench, 'exit'), text(bench.stderr)]);
  expect([code, printed]).toEqual([141, '']);
});
