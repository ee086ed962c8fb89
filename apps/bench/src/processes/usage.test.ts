import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

import { expect, test } from 'vitest';

import { parseStat, usageOf } from './usage.ts';

test('a line of stat is read whatever the program is called', () => {
  const fields = [
    'S',
    ...Array.from({ length: 10 }, () => '0'),
    '250',
    '50',
    ...Array.from({ length: 8 }, () => '0'),
    '1000',
    '0',
  ];
  expect(parseStat(`42 (a) b (c) ${fields.join(' ')}`)).toEqual({
    cpuSeconds: 3,
    rssBytes: 4_096_000,
  });
});

test.runIf(existsSync('/proc/self/stat'))(
  'the processes that a process started count',
  async () => {
    const alone = usageOf(process.pid)?.rssBytes ?? 0;
    const hold =
      'const held = Buffer.alloc(200e6, 1); console.log(held.length); process.stdin.resume();';
    const child = spawn(process.execPath, ['-e', hold], { stdio: ['pipe', 'pipe', 'inherit'] });
    try {
      await once(child.stdout, 'data');
      expect((usageOf(process.pid)?.rssBytes ?? 0) - alone).toBeGreaterThan(100e6);
    } finally {
      child.kill();
      await once(child, 'exit');
    }
  },
);

test('a process that is gone reports no usage', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  expect(usageOf(child.pid ?? 0)).toBeUndefined();
});
