import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { fillUp, LINUX, startWithOutput, tinyFileSystem } from './full-output.ts';
import { QUERY_PATH, until } from './helper.ts';

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
