import {
  type AnyModels,
  DriftError,
  type Collected,
  type CollectOptions,
  type DriftReport,
  type ListQuery,
} from '@proj/client';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { caught } from './caught.ts';
import { collect } from './collect.ts';
import { cities, contractService } from './contract-service.ts';
import { json, type Answer } from './http-server.ts';
import { startClient } from './start-client.ts';

const CITIES: ListQuery<AnyModels, 'cities', 'id'> = {
  model: 'cities',
  attributes: ['id'],
  size: 10,
};

afterEach(() => {
  vi.restoreAllMocks();
});

/**
 * A service of 42 cities that is written to after as many replies as are named; a deletion and an
 * insertion, so that 42 stay.
 */
async function written(after: readonly number[], versioned = true) {
  const rows = cities(42);
  let replies = 0;
  let version = 0;
  const service = contractService(rows, versioned ? { version: () => `v${version}` } : {});
  return startClient((request, response) => {
    service(request, response);
    replies += 1;
    if (!after.includes(replies)) return;
    rows.splice(0, 1);
    rows.push({ id: 1000 + replies, name: 'new', population: null });
    version += 1;
  });
}

/** An answer that may be wrong is worse than none. */
function refuse(report: DriftReport): void {
  throw new DriftError(report);
}

async function all(
  after: number[],
  options: CollectOptions,
  versioned = true,
): Promise<Collected<{ id: unknown }>> {
  const { client } = await written(after, versioned);
  return client.all(CITIES, { concurrency: 1, ...options });
}

describe('a walk over data that changes', () => {
  it('sets on each page the version of its data', async () => {
    const { client } = await written([2]);
    const pages = await collect(client.pages(CITIES, { concurrency: 1, onDrift: 'ignore' }));
    expect(pages.map(({ dataVersion }) => dataVersion)).toEqual(['v0', 'v0', 'v1', 'v1', 'v1']);
  });

  it('ends in place of the page that differs when `onDrift` is `error`', async () => {
    const { client } = await written([2]);
    const seen: number[] = [];
    const walk = async () => {
      for await (const page of client.pages(CITIES, { concurrency: 1, onDrift: 'error' }))
        seen.push(page.number);
    };
    const error = await caught(walk());
    expect(error).toBeInstanceOf(DriftError);
    expect(error).toMatchObject({
      report: {
        reason: 'version_changed',
        page: 3,
        dataVersion: 'v1',
        start: { page: 1, dataVersion: 'v0' },
      },
    });
    expect(seen).toEqual([1, 2]);
  });

  it('warns once by default, and goes on', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const { client } = await written([1, 2, 3]);
    expect(await collect(client.records(CITIES))).toHaveLength(42);
    expect(warn).toHaveBeenCalledOnce();
  });

  it('stops when the function of `onDrift` throws', async () => {
    const { client } = await written([], false);
    const error = await caught(collect(client.pages(CITIES, { onDrift: refuse })));
    expect(error).toMatchObject({
      name: 'DriftError',
      report: { reason: 'unverifiable', page: 2 },
    });
  });

  it('takes a version that is no token for none', async () => {
    const body = {
      result: [{ id: 1 }],
      page: { page: '1', size: '10', total: '1', has_next: false },
    };
    const garbled: Answer = json(body, 200, { 'data-version': 'a, b' });
    const { client } = await startClient(garbled);
    const page = await client.query({ ...CITIES, page: 1 });
    expect(page.dataVersion).toBeNull();
  });

  it('cannot take back pages that it delivered', async () => {
    const { client } = await written([]);
    // @ts-expect-error -- `restart` is for `all`
    expect(() => client.pages(CITIES, { onDrift: 'restart' })).toThrow(
      '"restart" is for `all` only',
    );
  });
});

describe('all records at once', () => {
  it('come with the total and the proof that nothing changed', async () => {
    const { records, ...facts } = await all([], {});
    expect(records.map(({ id }) => id)).toEqual(cities(42).map(({ id }) => id));
    expect(facts).toEqual({ total: 42n, totalNumber: 42, drift: null, restarts: 0 });
  });

  it('are read again until nothing changes when `onDrift` is `restart`', async () => {
    const { records, ...facts } = await all([3, 6], { onDrift: 'restart' });
    expect(facts).toEqual({ total: 42n, totalNumber: 42, drift: null, restarts: 2 });
    expect(records.map(({ id }) => id)).toEqual([
      ...Array.from({ length: 40 }, (_, index) => index + 3),
      1003,
      1006,
    ]);
  });

  it('are given up when it changes too often', async () => {
    const often = Array.from({ length: 100 }, (_, index) => index);
    expect(await caught(all(often, { onDrift: 'restart', maxRestarts: 2 }))).toBeInstanceOf(
      DriftError,
    );
  });

  it('say when a change cannot be excluded', async () => {
    expect(await all([3], { onDrift: 'restart' }, false)).toMatchObject({
      drift: 'unverifiable',
      restarts: 0,
    });
    expect(await all([3], { onDrift: 'ignore' })).toMatchObject({
      drift: 'version_changed',
      restarts: 0,
    });
  });

  it('are not begun with a wrong number of restarts', async () => {
    await expect(all([], { maxRestarts: -1 })).rejects.toThrow(
      'maxRestarts: expected a whole number from 0 to 100; got -1',
    );
  });

  it('report their progress, from the start again after a restart', async () => {
    const read: number[] = [];
    await all([3], { onDrift: 'restart', onProgress: (progress) => read.push(progress.read) });
    expect(read).toEqual([10, 20, 30, 10, 20, 30, 40, 42]);
  });
});
