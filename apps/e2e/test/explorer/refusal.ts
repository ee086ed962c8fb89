import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { expect } from 'vitest';

import { TOKEN } from '../support/service.ts';
import { startDemo } from './service.ts';

/** The reply of a service, for a route of the browser. */
interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The wait of {@link refusalOfService}, in seconds. */
export const RETRY_AFTER_S = 60;

let refusal: Promise<Reply> | undefined;

/** What the service answers when a limit is used up. */
export async function refusalOfService(): Promise<Reply> {
  refusal ??= provoke();
  return refusal;
}

async function provoke(): Promise<Reply> {
  const directory = mkdtempSync(join(tmpdir(), 'explorer-'));
  const settings = join(directory, 'settings.yaml');
  writeFileSync(settings, 'expose: all\nrate_limits: { requests_per_minute: 1 }\n');
  const file = join(directory, 'numbers.db');
  const database = new DatabaseSync(file);
  database.exec('create table numbers (id integer primary key)');
  database.close();
  const service = await startDemo({
    args: ['--config', settings, '--database', `sqlite:${file}`],
  });
  const ask = async () =>
    fetch(`${service.origin}/api/v1/dynamic/models`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
  await ask();
  const { status, headers, body } = await replyOf(await ask());
  await service.stop();
  expect([status, headers['retry-after']]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  return { status, body, headers: { ...headers, 'retry-after': String(RETRY_AFTER_S) } };
}

async function replyOf(response: Response): Promise<Reply> {
  const { status, headers } = response;
  return { status, headers: Object.fromEntries(headers), body: await response.text() };
}
