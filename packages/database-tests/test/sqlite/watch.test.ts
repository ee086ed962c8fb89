import { EVERYTHING } from '@proj/engine';
import { expect, it } from 'vitest';

import { databaseFile, execute } from '../../../sqlite/test/database-file.ts';
import { open } from '../open.ts';

it('a watch has the version in its first state, though the file was written a moment before', async () => {
  const path = databaseFile('create table t (id integer primary key)');
  const engine = await open(`sqlite:${path}`);
  const call = { signal: new AbortController().signal, caller: 'somebody', seesVersion: true };
  const body = { query_model: 't', query_attributes: ['id'] };
  execute(path, 'insert into t values (1)');
  const { first } = await engine.watch(body, EVERYTHING, call);
  expect(first.list).toMatchObject({ total: '1', version: expect.any(String) });
});
