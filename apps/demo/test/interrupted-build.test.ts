import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { ensureDemoDatabase } from '../src/build-demo.ts';
import { dataDirectory } from './data-directory.ts';

const GOOD = { integrity: 'ok', cities: 135_233 };
const SCRIPT = fileURLToPath(new URL('building-process.ts', import.meta.url));

describe('a build that is killed', () => {
  it.each([
    ['before a row is in', 0, 0],
    ['among the rows', 0.5, 0],
    ['with the file written and not yet named', 0.98, 1],
  ])(
    '%s leaves no finished file, and the next call builds one',
    async (_when, dieAt, leftovers) => {
      const directory = dataDirectory();
      expect(await buildInProcess(directory, String(dieAt))).toMatchObject({
        signal: 'SIGKILL',
        file: '',
      });
      expect(finished(directory)).toEqual([]);
      expect(readdirSync(directory)).toHaveLength(leftovers);
      expect(stateOf(await ensureDemoDatabase({ directory }))).toEqual(GOOD);
    },
  );

  it('from outside, at any moment, leaves no finished file or a good one', async () => {
    const directory = dataDirectory();
    for (const afterMs of [150, 400, 800]) {
      await buildInProcess(directory, '2', afterMs);
      for (const name of finished(directory)) expect(stateOf(join(directory, name))).toEqual(GOOD);
    }
    expect(stateOf(await ensureDemoDatabase({ directory }))).toEqual(GOOD);
  });
});

describe('two builds at once', () => {
  it('both end with the same good file, and with no other', async () => {
    const directory = dataDirectory();
    const [one, other] = await Promise.all([buildInProcess(directory), buildInProcess(directory)]);
    expect(one).toEqual({ code: 0, signal: null, file: expect.stringMatching(/\.db$/) });
    expect(other).toEqual(one);
    expect(readdirSync(directory)).toHaveLength(1);
    expect(stateOf(one.file)).toEqual(GOOD);
  });

  it('in one process both end with the same good file', async () => {
    const directory = dataDirectory();
    const [one, other] = await Promise.all([
      ensureDemoDatabase({ directory }),
      ensureDemoDatabase({ directory }),
    ]);
    expect(other).toBe(one);
    expect(readdirSync(directory)).toHaveLength(1);
    expect(stateOf(one)).toEqual(GOOD);
  });
});

async function buildInProcess(directory: string, dieAt = '2', killAfterMs?: number) {
  const child = spawn(process.execPath, [SCRIPT, directory, dieAt], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(killAfterMs === undefined ? {} : { timeout: killAfterMs, killSignal: 'SIGKILL' }),
  });
  const [[code, signal], file] = await Promise.all([once(child, 'exit'), text(child.stdout)]);
  return { code, signal, file };
}

function finished(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith('.db')) : [];
}

function stateOf(file: string) {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const integrity = database.prepare('pragma integrity_check').get()?.['integrity_check'];
    return { integrity, cities: database.prepare('select count(*) as n from cities').get()?.['n'] };
  } finally {
    database.close();
  }
}
