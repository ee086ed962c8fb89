import { expect, it } from 'vitest';

import { databaseFile } from '../../../sqlite/test/database-file.ts';
import { open } from '../open.ts';
import { running } from '../reader-processes.ts';

it('replicas of a database that has none are refused, and none of them stays open', async () => {
  const url = `sqlite:${databaseFile('create table things (id integer primary key)')}`;
  const replicas = { urls: [url, url], maxLagMs: 1000 };
  await expect(open(url, { processes: 1, replicas })).rejects.toThrow(
    'replicas: this database has none. Leave `replicas` out.',
  );
  expect(running()).toEqual([]);
});
