import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { freePort } from '@proj/test-servers';
import { describe, expect, it, onTestFinished } from 'vitest';

import { CITIES, cityQuery, QUERY_PATH, temporaryDatabase, until } from './helper.ts';
import { MAIN } from './server-process.ts';

const TOKEN = 'full-output-token';
const LINUX = process.platform === 'linux';

interface Running {
  readonly port: number;
  readonly stdout: NodeJS.ReadableStream | null;
  readonly query: () => Promise<number>;
  /** Ends the server by SIGTERM and gives its exit code. */
  readonly stop: () => Promise<number | null>;
}

/** A server whose standard output is an open file, or a pipe that the test does not read. */
async function startWithOutput(
  stdout: number | 'pipe',
  args: readonly string[] = [],
): Promise<Running> {
  const { file } = temporaryDatabase(CITIES);
  const port = await freePort();
  const options = [
    '--database',
    `sqlite:${file}`,
    '--expose',
    'all',
    '--port',
    String(port),
    ...args,
  ];
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, DYNAMIC_QUERY_ADMIN_TOKEN: TOKEN };
  const child = spawn(process.execPath, [MAIN, 'serve', ...options], {
    env,
    stdio: ['ignore', stdout, stdout],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const origin = `http://127.0.0.1:${port}`;
  await until(() =>
    fetch(`${origin}/livez`).then(
      ({ ok }) => ok,
      () => child.exitCode !== null,
    ),
  );
  const query = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    const reply = await fetch(origin + QUERY_PATH, {
      method: 'POST',
      headers,
      body: JSON.stringify(cityQuery(1, 1)),
    });
    await reply.text();
    return reply.status;
  };
  const stop = async (): Promise<number | null> => {
    child.kill('SIGTERM');
    const [code] = (await ended) as [number | null];
    return code;
  };
  return { port, stdout: child.stdout, query, stop };
}

/** So many callers send the requests, each of which leaves a log line. */
const CALLERS = 4;

async function sendMany(port: number, count: number): Promise<void> {
  const ask = async (): Promise<void> => {
    for (let left = count / CALLERS; left > 0; left--)
      await (await fetch(`http://127.0.0.1:${port}/none`)).arrayBuffer();
  };
  await Promise.all(Array.from({ length: CALLERS }, ask));
}

/** A file system of 128 KiB; undefined where the test may not mount one. */
function tinyFileSystem(): string | undefined {
  const { directory } = temporaryDatabase('');
  const folder = join(directory, 'tiny');
  mkdirSync(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  return folder;
}

/** Takes all room of a file system; gives what frees it. */
function fillUp(folder: string): () => void {
  const filler = join(folder, 'filler');
  while (appended(filler, 4096));
  return () => rmSync(filler);
}

function appended(file: string, bytes: number): boolean {
  try {
    writeFileSync(file, Buffer.alloc(bytes), { flag: 'a' });
    return true;
  } catch {
    return false;
  }
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
    const { port, query, stop } = await startWithOutput(output);
    closeSync(output);
    await sendMany(port, 100);
    expect(await query()).toBe(200);
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

describe.skipIf(!LINUX)('a server whose audit cannot be written', () => {
  it('refuses queries with `audit_failure: refuse`, with 503 after valid tokens only', async () => {
    const { port, query, stop } = await startWithOutput('pipe', [
      '--audit',
      '/dev/full',
      '--audit-failure',
      'refuse',
    ]);
    // The first query is what shows that the file takes nothing.
    expect(await query()).toBe(200);
    await until(async () => (await query()) === 503);
    const url = `http://127.0.0.1:${port}${QUERY_PATH}`;
    expect(
      (await fetch(url, { method: 'POST', headers: { authorization: 'Bearer other' } })).status,
    ).toBe(401);
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    expect(await stop()).toBe(0);
  });

  it('answers again once the disk has room, and has lost no line of an answered query', async ({
    skip,
  }) => {
    const folder = tinyFileSystem() ?? skip('this process may not mount a file system');
    const path = join(folder, 'audit');
    const { query, stop } = await startWithOutput('pipe', [
      '--audit',
      path,
      '--audit-failure',
      'refuse',
    ]);
    const free = fillUp(folder);
    let answered = 0;
    await until(async () => {
      const status = await query();
      if (status === 200) answered += 1;
      return status === 503;
    });
    free();
    await until(async () => (await query()) === 200);
    expect(await stop()).toBe(0);
    const lines = readFileSync(path, 'utf8').trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { outcome: string }).outcome)).toEqual(
      Array.from({ length: answered + 1 }, () => 'ok'),
    );
  });
});
