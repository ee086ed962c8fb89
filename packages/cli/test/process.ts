import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { TOKEN } from './service/service.ts';

/** The program as it is started from a shell. */
export const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts');

/** A process that was started. */
export interface Started {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  /** What it did, once it has ended. */
  readonly ended: Promise<{
    readonly exitCode: number | null;
    readonly stdout: string;
    readonly stderr: string;
  }>;
}

/** Starts a command with a service in its environment. */
export function start(
  [command = '', ...args]: readonly string[],
  { url, path }: { url: string; path?: string },
): Started {
  const env = {
    ...process.env,
    DYNAMIC_QUERY_URL: url,
    DYNAMIC_QUERY_TOKEN: TOKEN,
    ...(path !== undefined && { PATH: path }),
  };
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const end = async () => {
    const [stdout, stderr] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return { exitCode: child.exitCode, stdout, stderr };
  };
  return { child, ended: end() };
}
