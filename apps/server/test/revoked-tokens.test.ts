import { writeFileSync } from 'node:fs';

import { API_PATHS, WATCH_TYPE } from '@proj/contract';
import { expect, it } from 'vitest';

import { sha256 } from '../src/access/tokens.ts';
import { temporaryDatabase, until } from './helper.ts';
import { askText, LARGE, open, type Opened } from './long-replies.ts';
import { startServer } from './server-process.ts';
import { settingsFile } from './settings-files.ts';

const CITIES = { query_model: 'cities', query_attributes: ['id', 'name'] };

const LAST_CHUNK = '\r\n0\r\n\r\n';

/** A watch that has had its first event, and an export that is no longer read. */
async function openBoth(port: number, token: string): Promise<[watch: Opened, list: Opened]> {
  const watch = open(port, askText(API_PATHS.watch, CITIES, { token, accept: WATCH_TYPE }));
  const list = open(port, askText(API_PATHS.export, CITIES, { token }));
  await until(() => watch.received().includes('event: list'));
  await until(() => list.received().includes('{"id":"1",'));
  list.socket.pause();
  return [watch, list];
}

it('a token that is revoked ends its watch and cuts its export, and those of no other token', async () => {
  const { file } = temporaryDatabase(LARGE);
  const settingsWith = (...names: readonly string[]): string =>
    JSON.stringify({
      database: `sqlite:${file}`,
      expose: 'all',
      roles: { caller: { models: 'all' } },
      tokens: names.map((name) => ({ name, role: 'caller', sha256: sha256(name) })),
    });
  const config = settingsFile(settingsWith('one', 'other'));
  const { port } = await startServer(['--config', config]);
  const [watch, list] = await openBoth(port, 'one');
  const [otherWatch, otherList] = await openBoth(port, 'other');

  writeFileSync(config, settingsWith('other'));
  await watch.closed;
  expect(watch.received()).toContain('"code":"unauthenticated"');
  list.socket.resume();
  await list.closed;
  expect(list.received()).not.toContain(LAST_CHUNK);

  otherList.socket.resume();
  await until(() => otherList.received().endsWith(LAST_CHUNK));
  expect(otherWatch.received()).not.toContain('event: problem');
}, 120_000);
