import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

import { freePort } from '@proj/test-servers';
import { onTestFinished } from 'vitest';

/**
 * Runs an example as its reader would, `node examples/<file>` from the package's root, and gives
 * its base URL.
 */
export async function startExample(file: string): Promise<string> {
  const port = await freePort();
  const child = spawn(process.execPath, [`examples/${file}`], {
    cwd: new URL('..', import.meta.url),
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill();
    await exited;
  });
  const base = `http://127.0.0.1:${port}`;
  while (child.exitCode === null) {
    if (await answers(base)) return base;
    await delay(20);
  }
  throw new Error(`examples/${file} ended with ${child.exitCode} before it listened on ${port}`);
}

/** Posts a body to the example's one route. */
export async function postCities(base: string, body: string): Promise<Response> {
  return fetch(`${base}/cities`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
}

async function answers(base: string): Promise<boolean> {
  return fetch(base).then(
    (response) => response.body?.cancel().then(() => true) ?? true,
    () => false,
  );
}
