import { queryObjects } from 'node:v8';

import { EVERYTHING, type ListWatch } from '@proj/engine';
import { expect, it, onTestFinished } from 'vitest';

import { CacheStore } from '../../../engine/src/cache-store.ts';
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

it('watches keep no cache of an earlier catalogue, nor one of another size', async () => {
  const path = databaseFile('create table things (id integer primary key)');
  const engine = await open(`sqlite:${path}`, { watchCheckMs: 10 });
  const { signal, abort } = abortable();
  const body = { query_model: 'things', query_attributes: ['id'] };
  const before = countCaches();
  const watches: ListWatch[] = [];
  for (const memoryMib of [8, 16, 24]) {
    const call = { signal, caller: 'somebody', seesVersion: true };
    const watch = await engine.watch(body, EVERYTHING, call);
    watches.push(watch);
    watch.follow(() => true).catch(abort);
    engine.setCacheMemory(memoryMib * 2 ** 20);
    (await engine.prepare({ expose: 'all', models: {}, maxPageSize: 10 })).apply();
  }
  await expect.poll(countCaches).toBeLessThanOrEqual(before);
  expect([watches.length, engine.watched().lists]).toEqual([3, 1]);
});

/** Frees the memory of what nobody refers to. */
function countCaches(): number {
  return queryObjects(CacheStore, { format: 'count' });
}

function abortable() {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  onTestFinished(abort);
  return { signal: controller.signal, abort };
}
