import type { Progress } from '@proj/client';
import { describe, expect, it, vi } from 'vitest';

import { caught } from './caught.ts';
import { collect } from './collect.ts';
import { cities, contractService, problem } from './contract-service.ts';
import { gate, newestFirst, pageOf, type Gate } from './gate.ts';
import { startClient } from './start-client.ts';

const CITIES = { model: 'cities', attributes: ['id'], size: 10 } as const;

/** A walk over 100 cities whose first page was delivered and whose next requests wait at a gate. */
async function walkToGate(concurrency: number) {
  const held = gate(contractService(cities(100)));
  const { client, server } = await startClient(held.answer);
  const pages = client.pages(CITIES, { concurrency })[Symbol.asyncIterator]();
  const first = pages.next();
  await waitsFor(held, [1]);
  held.release(1);
  await first;
  return { held, server, pages };
}

async function waitsFor(held: Gate, pages: number[]): Promise<void> {
  await vi.waitFor(() => expect(held.waiting()).toEqual(pages));
}

describe('a walk that reads several pages at once', () => {
  it.each([1, 2, 7, 64])(
    'delivers every record once and in order, %i at a time',
    async (concurrency) => {
      const service = contractService(cities(142));
      const { client, server } = await startClient(newestFirst(service, { concurrency, last: 15 }));
      const records = await collect(client.records(CITIES, { concurrency }));
      expect(records.map(({ id }) => id)).toEqual(cities(142).map(({ id }) => id));
      expect(server.requests).toHaveLength(15);
    },
  );

  it.each([1, 4, 64])(
    'needs no total to deliver every record once and in order, %i at a time',
    async (concurrency) => {
      for (const count of [0, 1, 10, 142]) {
        const service = contractService(cities(count));
        const { client, server } = await startClient(newestFirst(service, { concurrency }));
        const reported: Progress<null>[] = [];
        const records = await collect(
          client.records(
            { ...CITIES, total: 'none' },
            { concurrency, onProgress: (progress) => reported.push(progress) },
          ),
        );
        expect(records.map(({ id }) => id)).toEqual(cities(count).map(({ id }) => id));
        const pages = Math.max(1, Math.ceil(count / 10));
        expect(reported.map(({ page, total, pageCount }) => [page, total, pageCount])).toEqual(
          Array.from({ length: pages }, (_, index) => [index + 1, null, null]),
        );
        expect(server.requests.length).toBeLessThan(pages + concurrency);
      }
    },
  );

  it('goes on beyond a limit to which the total was counted', async () => {
    const { client } = await startClient(contractService(cities(42)));
    const collected = await client.all({ ...CITIES, total: { upTo: 15 } }, { onDrift: 'ignore' });
    expect([collected.records.length, collected.total]).toEqual([42, null]);
    const page = await client.query({ ...CITIES, page: 2, total: { upTo: 15 } });
    expect(page).toMatchObject({ total: null, totalAtLeast: 16n, pageCount: null, hasNext: true });
    const whole = await client.query({ ...CITIES, page: 5, total: { upTo: 42 } });
    expect(whole).toMatchObject({ total: 42n, totalAtLeast: null, pageCount: 5n, hasNext: false });
    expect((await page.next())?.number).toBe(3);
  });

  it('aborts pending requests when the loop ends early', async () => {
    const { held, pages } = await walkToGate(4);
    const second = pages.next();
    await waitsFor(held, [2, 3, 4, 5]);
    held.release(2);
    await second;
    await pages.return?.();
    await vi.waitFor(() => expect(held.givenUp()).toEqual([3, 4, 5]));
  });

  it('aborts pending requests with the reason of its signal', async () => {
    const held = gate(contractService(cities(100)));
    const { client } = await startClient(held.answer);
    const controller = new AbortController();
    const walk = caught(
      collect(client.records(CITIES, { signal: controller.signal, concurrency: 2 })),
    );
    await waitsFor(held, [1]);
    held.release(1);
    await waitsFor(held, [2, 3]);
    controller.abort('enough');
    expect(await walk).toBe('enough');
    await vi.waitFor(() => expect(held.givenUp()).toEqual([2, 3]));
  });

  it('delivers the pages before one that fails, and aborts those after it', async () => {
    const held = gate(contractService(cities(100)));
    const { client } = await startClient((request, response) => {
      const fails = pageOf(request) === 3;
      return fails ? problem(500, 'internal')(request, response) : held.answer(request, response);
    });
    const seen: number[] = [];
    const walk = async () => {
      for await (const page of client.pages(CITIES, { concurrency: 4 })) seen.push(page.number);
    };
    const failure = caught(walk());
    await waitsFor(held, [1]);
    held.release(1);
    await waitsFor(held, [2, 4, 5]);
    held.release(2);
    expect(await failure).toMatchObject({ status: 500 });
    expect(seen).toEqual([1, 2]);
    await vi.waitFor(() => expect(held.givenUp()).toContain(5));
  });
});

describe('a list whose length changes during the walk', () => {
  it('is read on when it grows', async () => {
    const rows = cities(25);
    const { client } = await startClient(contractService(rows));
    const grown: number[] = [];
    for await (const page of client.pages(CITIES, { onDrift: 'ignore', concurrency: 2 })) {
      grown.push(page.records.length);
      if (page.number === 1) rows.push(...cities(60).slice(25));
    }
    expect(grown).toEqual([10, 10, 10, 10, 10, 10]);
  });

  it('ends with the highest page that was requested when it shrinks', async () => {
    const rows = cities(100);
    const { client } = await startClient(contractService(rows));
    const lengths: number[] = [];
    for await (const page of client.pages(CITIES, { onDrift: 'ignore', concurrency: 3 })) {
      lengths.push(page.records.length);
      if (page.number === 1) rows.length = 15;
    }
    expect(lengths).toEqual([10, 5, 0, 0]);
  });
});

describe('the progress of a walk', () => {
  it('is reported with each page before it is delivered', async () => {
    const { client } = await startClient(contractService(cities(42), { version: () => 'v1' }));
    const events: (Progress | number)[] = [];
    for await (const page of client.pages(
      { ...CITIES, from: 3 },
      { onProgress: (progress) => events.push(progress) },
    )) {
      events.push(page.number);
    }
    expect(events).toEqual([
      { read: 10, total: 42n, page: 3, pageCount: 5n, drift: null },
      3,
      { read: 20, total: 42n, page: 4, pageCount: 5n, drift: null },
      4,
      { read: 22, total: 42n, page: 5, pageCount: 5n, drift: null },
      5,
    ]);
  });

  it('ends the walk when its function throws', async () => {
    const { client } = await startClient(contractService(cities(42)));
    const full = new Error('the disk is full');
    const onProgress = () => {
      throw full;
    };
    expect(await caught(collect(client.pages(CITIES, { onProgress })))).toBe(full);
  });
});

it.each([0, 65, 1.5, Number.NaN])('refuses a concurrency of %s at once', async (concurrency) => {
  const { client } = await startClient(contractService([]));
  expect(() => client.pages(CITIES, { concurrency })).toThrow(
    'concurrency: expected a whole number from 1 to 64',
  );
});
