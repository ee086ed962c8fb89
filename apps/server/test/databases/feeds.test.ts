import { newPostgresDatabase, until } from '@proj/test-servers';
import { expect, it } from 'vitest';

import { readMetrics, valueOf } from '../metrics-text.ts';
import { ordersFile, serviceOf } from './service-of-several.ts';

const SQL = `
  create table notes (id integer primary key);
  insert into notes values (1);
  create publication dynamic_query for table notes`;

const followed = (url: string) => ({ url, expose: 'all', follow: true });

it('each database of several is followed by a feed of its own, which a reload adds as well', async () => {
  const first = await newPostgresDatabase();
  const second = await newPostgresDatabase();
  for (const server of [first, second]) await server.client(SQL);
  const others = { local: { url: ordersFile(1).url, expose: 'all' } };
  const metrics = { port: 0 };
  const { service, change, total, lines } = await serviceOf({
    databases: { a: followed(first.url), ...others },
    metrics,
  });
  const following = async (database: string): Promise<number | undefined> => {
    const text = (await service.metricsApp?.inject('/metrics'))?.body ?? '';
    return valueOf(readMetrics(text), 'dynamic_query_feed_following', { database });
  };
  await total('a.notes');
  await until(async () => (await following('a')) === 1);
  expect(lines).toContainEqual(
    expect.objectContaining({ database: 'a', msg: 'the change feed follows the server' }),
  );
  const databases = { a: followed(first.url), b: followed(second.url), ...others };
  expect(await change({ databases, metrics })).toBe(true);
  await total('b.notes');
  await until(async () => (await following('b')) === 1);
  expect(await following('a')).toBe(1);
  expect(await following('local')).toBeUndefined();
  await second.client('insert into notes values (2)');
  await until(async () => (await total('b.notes')) === '2');
  expect(await total('a.notes')).toBe('1');
});
