import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { freePort } from '@proj/test-servers';
import { describe, expect, it } from 'vitest';

import { fillUp, LINUX, startWithOutput, tinyFileSystem } from './full-output.ts';
import { until } from './helper.ts';
import { MAIN } from './server-process.ts';

/** So many callers send the requests, each of which leaves a log line. */
const CALLERS = 4;

async function sendMany(port: number, count: number): Promise<void> {
  const ask = async (): Promise<void> => {
    for (let left = count / CALLERS; left > 0; left--)
      await (await fetch(`http://127.0.0.1:${port}/none`)).arrayBuffer();
  };
  await Promise.all(Array.from({ length: CALLERS }, ask));
}

describe.skipIf(!LINUX)('a server whose standard output takes nothing', () => {
  it('answers and stops in order on a full disk', async () => {
    const full = openSync('/dev/full', 'w');
    const { port, query, stop } = await startWithOutput(full);
    closeSync(full);
    await sendMany(port, 500);
    expect(await query()).toBe(200);
    expect(await stop()).toBe(0);
  });

  it('answers and stops in order over a pipe that nobody reads, without an audit either, unless the settings say that it must have one', async () => {
    const { port, query, stop } = await startWithOutput('pipe', ['--audit', '/dev/full']);
    await sendMany(port, 3000);
    for (let count = 0; count < 10; count++) expect(await query()).toBe(200);
    expect(await stop()).toBe(0);
  });

  it('logs again once the disk has room, and how many lines were dropped', async ({ skip }) => {
    const folder = tinyFileSystem() ?? skip('this process may not mount a file system');
    const path = join(folder, 'log');
    const output = openSync(path, 'a');
    const free = fillUp(folder);
    const metrics = String(await freePort());
    const { port, query, stop } = await startWithOutput(output, ['--metrics-port', metrics]);
    closeSync(output);
    await sendMany(port, 100);
    expect(await query()).toBe(200);
    // Lines wait for a moment before they are written.
    await until(async () => {
      const reply = await fetch(`http://127.0.0.1:${metrics}/metrics`);
      return (await reply.text()).includes('dynamic_query_lines_failing{output="log"} 1');
    });
    expect(readFileSync(path, 'utf8')).not.toContain('answered');
    free();
    await until(() => readFileSync(path, 'utf8').includes('standard output takes log lines again'));
    expect(readFileSync(path, 'utf8')).toContain('"dropped":0');
    expect(await query()).toBe(200);
    expect(await stop()).toBe(0);
    expect(readFileSync(path, 'utf8')).toContain('/api/v1/dynamic/query');
  });
});

describe('a command whose output nobody reads to its end', () => {
  it('ends without an error', async () => {
    const child = spawn(process.execPath, [MAIN, 'serve', '--help'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    const errors = text(child.stderr);
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(await errors).toBe('');
  });

  it('goes on answering where it is a server', async () => {
    const { stdout, query, stop } = await startWithOutput('pipe');
    (stdout as Socket).destroy();
    for (let count = 0; count < 10; count++) expect(await query()).toBe(200);
    expect(await stop()).toBe(0);
  });
});
