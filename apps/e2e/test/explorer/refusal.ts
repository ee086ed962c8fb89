import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { expect, onTestFinished } from 'vitest';

import { TOKEN } from '../support/service.ts';
import { startDemo } from './service.ts';

/** The wait of {@link refusalOfService}, in seconds. */
export const RETRY_AFTER_S = 3;

/**
 * What the service answers when a limit is used up, with a wait that a test has time for in place
 * of up to a minute.
 */
export async function refusalOfService() {
  const directory = mkdtempSync(join(tmpdir(), 'explorer-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const settings = join(directory, 'settings.yaml');
  writeFileSync(settings, 'expose: all\nrate_limits: { requests_per_minute: 1 }\n');
  const file = join(directory, 'numbers.db');
  const database = new DatabaseSync(file);
  database.exec('create table numbers (id integer primary key)');
  database.close();
  const service = await startDemo({
    args: ['--config', settings, '--database', `sqlite:${file}`],
  });
  onTestFinished(service.stop);
  const ask = async () =>
    fetch(`${service.origin}/api/v1/dynamic/models`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
  await ask();
  const reply = await ask();
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([
    429,
    expect.stringMatching(/^\d+$/),
  ]);
  const headers = { ...Object.fromEntries(reply.headers), 'retry-after': String(RETRY_AFTER_S) };
  return { status: reply.status, headers, body: await reply.text() };
}
