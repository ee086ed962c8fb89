import { type AnyModels, KeyOrderError, type ListQuery } from '@proj/client';
import type { ModelEntry } from '@proj/contract';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

import { caught } from './caught.ts';
import { collect } from './collect.ts';
import { attribute, cities, CITIES_MODEL, contractService } from './contract-service.ts';
import { json, type TestServer } from './http-server.ts';
import type { Row } from './select-rows.ts';
import { startClient } from './start-client.ts';

const CITIES: ListQuery<AnyModels, 'cities', 'name'> = {
  model: 'cities',
  attributes: ['name'],
  size: 10,
  order: 'key',
};

/**
 * A key of a text, which the service orders without regard to letter case, and of a number past
 * 2^53.
 */
const VISITS: ModelEntry = {
  ...CITIES_MODEL,
  name: 'visits',
  attributes: [attribute('place', 'text'), attribute('at', 'int64'), attribute('note', 'text')],
  key: ['place', 'at'],
};

const queries = ({ requests }: TestServer): { [member: string]: unknown }[] =>
  requests
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => JSON.parse(body) as { [member: string]: unknown });

describe('a walk in key order', () => {
  it('reads every record once, each page behind the one before', async () => {
    const { client, server } = await startClient(contractService(cities(25).toReversed()));
    const pages = await collect(client.pages(CITIES));
    expect(pages.flatMap(({ records }) => records)).toEqual(
      cities(25).map(({ name }) => ({ name })),
    );
    expect(
      pages.map(({ number, total, pageCount, hasNext }) => [number, total, pageCount, hasNext]),
    ).toEqual([
      [1, 25n, 3n, true],
      [2, 25n, 3n, true],
      [3, 25n, 3n, false],
    ]);
    expect(queries(server)).toEqual(
      [undefined, 10, 20].map((value) => ({
        query_model: 'cities',
        query_attributes: ['name', 'id'],
        page: { page: 1, size: 10 },
        query_sort: [{ attribute: 'id' }],
        ...(value && { query_filter: { attribute: 'id', op: 'gt', value } }),
      })),
    );
  });

  it('keeps the filter of the caller', async () => {
    const { client } = await startClient(contractService(cities(40)));
    const filter = { attribute: 'population', op: 'gte', value: 12_000 } as const;
    const names = await collect(client.records({ ...CITIES, filter, size: 3 }));
    expect(names.map(({ name }) => name)).toEqual(
      cities(40).flatMap(({ name, population }) =>
        population !== null && population >= 12_000 ? [name] : [],
      ),
    );
  });

  it('delivers the key where it was asked for, and hides it elsewhere', async () => {
    const { client } = await startClient(contractService(cities(12)));
    const shown = await collect(client.records({ ...CITIES, attributes: ['id', 'name'] }));
    expect(shown[11]).toEqual({ id: 12, name: 'City 12' });
    const hidden = await collect(client.records(CITIES));
    expect(Object.keys(hidden[11] ?? {})).toEqual(['name']);
  });

  it('goes on behind a key that an earlier walk stored', async () => {
    const { client } = await startClient(contractService(cities(25)));
    let stored = '';
    for await (const page of client.pages(CITIES)) {
      stored = JSON.stringify(page.lastKey);
      if (page.number === 2) break;
    }
    expect(stored).toBe('{"id":20}');
    const rest = await collect(client.pages({ ...CITIES, after: JSON.parse(stored) as Row }));
    expect(rest).toMatchObject([{ number: 1, total: 5n, hasNext: false, lastKey: { id: 25 } }]);
  });

  it('returns pages that lead on by key, and to any other by number', async () => {
    const rows = cities(25);
    const { client } = await startClient(contractService(rows));
    const [first] = await collect(client.pages(CITIES));
    rows.splice(0, 5);
    const second = await first?.next();
    expect(second?.records[0]).toEqual({ name: 'City 11' });
    expect((await second?.previous())?.records[0]).toEqual({ name: 'City 6' });
    expect((await second?.at(2))?.records[0]).toEqual({ name: 'City 16' });
    expect(await (await second?.next())?.next()).toBeNull();
  });

  it('of an empty list has one empty page', async () => {
    const { client } = await startClient(contractService([]));
    expect(await collect(client.pages(CITIES))).toMatchObject([
      { number: 1, records: [], total: 0n, lastKey: null },
    ]);
  });

  it('does not warn of changes, and still reports them in the progress', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const rows = cities(25);
    const { client } = await startClient(contractService(rows));
    const drift: unknown[] = [];
    await collect(
      client.pages(CITIES, {
        onProgress: (progress) => {
          drift.push(progress.drift);
          rows.pop();
        },
      }),
    );
    expect(drift).toEqual([null, 'total_changed', 'total_changed']);
    expect(warn).not.toHaveBeenCalled();
  });
});

describe('under writes between the pages', () => {
  /** What somebody else does after each reply. */
  const write = fc.record({
    kind: fc.constantFrom('insert', 'delete', 'update'),
    place: fc.constantFrom('a', 'B', 'c', 'D'),
    at: fc.nat(40),
  });

  it('loses and repeats nothing that stays', async () => {
    const rows: Row[] = [];
    const pending: { kind: string; place: string; at: number }[] = [];
    const service = contractService(rows, { model: VISITS });
    const { client } = await startClient((request, response) => {
      service(request, response);
      for (const { kind, place, at } of pending.splice(0, 3))
        apply(rows, kind, { place, at: atText(at), note: 'written' });
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(write, { maxLength: 60 }),
        fc.array(write, { maxLength: 60 }),
        async (before, meanwhile) => {
          rows.length = 0;
          for (const { place, at } of before)
            apply(rows, 'insert', { place, at: atText(at), note: 'old' });
          const stay = rows.filter(
            (row) =>
              !meanwhile.some(
                ({ kind, place, at }) =>
                  kind === 'delete' && keyText(row) === keyText({ place, at: atText(at) }),
              ),
          );
          pending.splice(0, pending.length, ...meanwhile);
          const read = await collect(
            client.records({ model: 'visits', attributes: ['at', 'place'], size: 4, order: 'key' }),
          );
          const keys = read.map(keyText);
          expect(new Set(keys).size).toBe(keys.length);
          for (const row of stay) expect(keys).toContain(keyText(row));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('finds what page order loses', async () => {
    for (const order of ['page', 'key'] as const) {
      const rows = cities(40);
      const service = contractService(rows);
      const { client } = await startClient((request, response) => {
        service(request, response);
        rows.shift();
      });
      const list = { model: 'cities', attributes: ['id'], size: 10, order };
      const ids = (await collect(client.records(list, { onDrift: 'ignore' }))).map(({ id }) => id);
      const stayed = cities(40)
        .slice(5)
        .map(({ id }) => id);
      expect(stayed.every((id) => ids.includes(id))).toBe(order === 'key');
    }
  });
});

/** Past 2^53, where doubles would fall together. */
const atText = (at: number): string => String(9_000_000_000_000_000_000n + BigInt(at));

function apply(rows: Row[], kind: string, row: Row): void {
  const index = rows.findIndex((other) => keyText(other) === keyText(row));
  if (kind === 'delete' && index >= 0) rows.splice(index, 1);
  if (kind === 'insert' && index < 0) rows.push(row);
  if (kind === 'update' && index >= 0) rows.splice(index, 1, { ...rows[index], note: 'changed' });
}

/** Two keys that the service orders alike are one to its unique index. */
function keyText(row: Row): string {
  return `${String(row['place'])} ${String(row['at'])}`.toLowerCase();
}

describe('what does not go with key order', () => {
  it.each<[string, Partial<ListQuery<AnyModels, 'cities', 'name'>>, string]>([
    ['a sort', { sort: [{ attribute: 'name' }] }, 'sort: does not go with order "key"'],
    ['a page to start with', { from: 2 }, 'from: does not go with order "key"'],
    ['a key without it', { order: 'page', after: { id: 1 } }, 'after: goes with order "key" only'],
    [
      'an order that is none',
      { order: 'random' as never },
      'order: expected "page" or "key"; got "random"',
    ],
  ])('is refused at once: %s', async (_what, more, message) => {
    const { client, server } = await startClient(contractService([]));
    expect(() => client.pages({ ...CITIES, ...more })).toThrow(new RegExp(message));
    expect(server.requests).toEqual([]);
  });

  it('is refused when the walk begins: a key that the token does not see', async () => {
    const { client, server } = await startClient(
      contractService(cities(3), { model: { ...CITIES_MODEL, key: [] } }),
    );
    expect(await caught(collect(client.records(CITIES)))).toBeInstanceOf(KeyOrderError);
    expect(queries(server)).toEqual([]);
  });
});

/** What stops a walk over a server that always says that more follows. */
async function against(records: (request: number) => object[]): Promise<unknown> {
  let count = 0;
  const { client } = await startClient((request, response) => {
    if (request.method === 'GET') return json(CITIES_MODEL)(request, response);
    return json({
      result: records(++count),
      page: { page: '1', size: '2', total: '9', has_next: true },
    })(request, response);
  });
  return caught(collect(client.records({ ...CITIES, size: 2, maxPages: 50 })));
}

const pair = (one: number | null, other: number): object[] => [
  { name: 'a', id: one },
  { name: 'b', id: other },
];

describe('a hostile server', () => {
  it.each<[string, (request: number) => object[], object]>([
    ['the same page for ever', () => pair(1, 2), { name: 'EndlessListError' }],
    [
      'a key twice',
      () => pair(1, 1),
      { name: 'InvalidReplyError', mismatch: { pointer: '/result/1' } },
    ],
    [
      'a key that is NULL',
      () => pair(null, 1),
      { message: expect.stringContaining('a key without NULL') },
    ],
    [
      'new keys for ever',
      (request) => pair(request * 2, request * 2 + 1),
      { name: 'EndlessListError', page: 50 },
    ],
  ])('is stopped when it sends %s', async (_what, records, error) => {
    expect(await against(records)).toMatchObject(error);
  });
});
