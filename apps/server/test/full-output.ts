import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { freePort } from '@proj/test-servers';
import { onTestFinished } from 'vitest';

import { CITIES, cityQuery, sendTo, temporaryDatabase, until } from './helper.ts';
import { MAIN } from './server-process.ts';

const TOKEN = 'full-output-token';
export const LINUX = process.platform === 'linux';

interface Running {
  readonly port: number;
  readonly stdout: NodeJS.ReadableStream | null;
  readonly query: () => Promise<number>;
  /** Ends the server by SIGTERM and gives its exit code. */
  readonly stop: () => Promise<number | null>;
}

/** A server whose standard output is an open file, or a pipe that the test does not read. */
export async function startWithOutput(
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
    const reply = await sendTo(origin, cityQuery(1, 1), { token: TOKEN });
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

/** A file system of 128 KiB; undefined where the test may not mount one. */
export function tinyFileSystem(): string | undefined {
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
export function fillUp(folder: string): () => void {
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
