import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

test('a bench whose output nobody reads on ends without a word', async () => {
  const bench = spawn(process.execPath, [MAIN, 'simulate', '--seconds', '0.1'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  bench.stdout.destroy();
  const [[code], printed] = await Promise.all([once(bench, 'exit'), text(bench.stderr)]);
  expect([code, printed]).toEqual([141, '']);
});
