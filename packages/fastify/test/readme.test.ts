import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { expect, it, onTestFinished } from 'vitest';

import { shop } from './shop.ts';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const EXAMPLE = new URL('../examples/app.ts', import.meta.url);

it('the README shows its example word for word, and has at most 120 lines', () => {
  const [code] = Array.from(README.matchAll(/^```ts\n(.*?)^```$/gms), ([, text]) => text);
  expect(code).toBe(readFileSync(EXAMPLE, 'utf8'));
  expect(README.split('\n').length).toBeLessThanOrEqual(120);
});

it('the example of the README runs, and its own route answers with what the caller sees', async () => {
  const file = shop(`alter table orders add customer_id integer;
    update orders set customer_id = id % 2`).database.replace('sqlite:', '');
  const program = spawn(process.execPath, [fileURLToPath(EXAMPLE), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void program.kill());
  const lines = createInterface(program.stdout);
  const [origin] = (await once(lines, 'line')) as [string];
  const report = once(lines, 'line');
  const reply = await fetch(`${origin}/top-orders`, { headers: { customer: '0' } });
  expect(await reply.json()).toEqual([
    { id: '4', amount: '40' },
    { id: '2', amount: '20' },
  ]);
  expect(await report).toEqual(['0 orders 2']);
});
