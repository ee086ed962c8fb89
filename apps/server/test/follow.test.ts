import { startPostgres } from '@proj/test-servers';
import { expect, it, onTestFinished } from 'vitest';

import { until } from './helper.ts';
import { readMetrics, valueOf } from './metrics-text.ts';
import { startServer } from './server-process.ts';
import { settingsFile } from './settings-files.ts';

const TOKEN = 'a-token-of-a-test-that-follows';

const SQL = `
  create table notes (id int primary key);
  insert into notes values (1);
  create publication dynamic_query for table notes`;

it('a service whose database cannot be followed yet answers, says so, and follows once it can', async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  await server.client(SQL);
  const config = settingsFile(
    `database: ${server.url}\nexpose: all\nfollow: true\nmetrics: { port: 0 }\n`,
  );
  const { metricsUrl, origin, output } = await startServer(['--config', config], {
    DYNAMIC_QUERY_ADMIN_TOKEN: TOKEN,
  });

  const statusOf = async (path: string): Promise<number> => (await fetch(origin + path)).status;
  const ask = async (): Promise<number> => {
    const reply = await fetch(`${origin}/api/v1/dynamic/query`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: '{ "query_model": "notes", "query_attributes": ["id"], "page": { "page": 1, "size": 5 } }',
    });
    return reply.status;
  };
  const following = async (): Promise<number | undefined> => {
    const text = await (await fetch(metricsUrl)).text();
    return valueOf(readMetrics(text), 'dynamic_query_feed_following', {});
  };
  const linesWith = (text: string): string[] =>
    output()
      .split('\n')
      .filter((line) => line.includes(text));

  expect(linesWith('warning: follow: ')).toEqual([
    expect.stringContaining('wal_level is replica, from which no changes can be read.'),
  ]);
  expect(await ask()).toBe(200);
  await until(() => linesWith('cannot follow the server').length > 0);
  expect(linesWith('cannot follow the server')).toHaveLength(1);
  expect(await following()).toBe(0);
  expect(await statusOf('/readyz')).toBe(200);

  await server.client('alter system set wal_level = logical');
  await server.restart();
  await until(() => linesWith('the change feed follows the server').length > 0);
  expect(await ask()).toBe(200);
  expect(await following()).toBe(1);
});
