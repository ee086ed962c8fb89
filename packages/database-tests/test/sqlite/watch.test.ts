import { EVERYTHING, type ListWatch } from '@proj/engine';
import { expect, it, onTestFinished, vi } from 'vitest';

import { freeMemory } from '../../../client/test/free-memory.ts';
import { CacheStore } from '../../../engine/src/cache-store.ts';
import { databaseFile, execute } from '../../../sqlite/test/database-file.ts';
import { changeMethod } from '../changed-method.ts';
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
  const countCaches = followCaches();
  const path = databaseFile('create table things (id integer primary key)');
  const engine = await open(`sqlite:${path}`, { watchCheckMs: 10 });
  const { signal, abort } = abortable();
  const body = { query_model: 'things', query_attributes: ['id'] };
  const before = await countCaches();
  const watches: ListWatch[] = [];
  for (const memoryMib of [8, 16, 24]) {
    const call = { signal, caller: 'somebody', seesVersion: true };
    const watch = await engine.watch(body, EVERYTHING, call);
    watches.push(watch);
    watch.follow(() => true).catch(abort);
    engine.setCacheMemory(memoryMib * 2 ** 20);
    (await engine.prepare({ expose: 'all', models: {}, maxPageSize: 10 })).apply();
  }
  expect(before).toBeGreaterThan(0);
  await expect.poll(countCaches).toBeLessThanOrEqual(before);
  expect([watches.length, engine.watched().lists]).toEqual([3, 1]);
});

/** Counts those made from now on that somebody still refers to. */
function followCaches(): () => Promise<number> {
  const made: WeakRef<object>[] = [];
  changeMethod(CacheStore, 'cache', (run, ...given) => {
    const cache = run(...given);
    made.push(new WeakRef(cache));
    return cache;
  });
  return async () => {
    // What stands in for a method refers to all that it has returned.
    vi.clearAllMocks();
    await freeMemory();
    return made.filter((cache) => cache.deref() !== undefined).length;
  };
}

function abortable() {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  onTestFinished(abort);
  return { signal: controller.signal, abort };
}
