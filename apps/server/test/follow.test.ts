import { startPostgres } from '@proj/test-servers';
import { expect, it, onTestFinished } from 'vitest';

import { cityQuery, send, until } from './helper.ts';
import { readMetrics, valueOf } from './metrics-text.ts';
import { serviceHere } from './service-here.ts';
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
  const env = { DYNAMIC_QUERY_ADMIN_TOKEN: TOKEN };
  const { app, lines, metricsApp, warnings } = await serviceHere({ flags: { config }, env });

  const statusOf = async (url: string): Promise<number> => (await app.inject(url)).statusCode;
  const ask = async (): Promise<number> => {
    const body = { ...cityQuery(1, 5, ['id']), query_model: 'notes' };
    return (await send(app, body, { token: TOKEN })).statusCode;
  };
  const following = async (): Promise<number | undefined> => {
    const reply = await metricsApp?.inject('/metrics');
    return valueOf(readMetrics(reply?.body ?? ''), 'dynamic_query_feed_following', {});
  };
  const linesWith = (text: string) => lines.filter(({ msg }) => msg.includes(text));

  expect(warnings.filter((line) => line.startsWith('warning: follow: '))).toEqual([
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
