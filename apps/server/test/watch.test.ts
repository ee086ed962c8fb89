import { Grant } from '@proj/engine';
import { OpenWatches } from '@proj/fastify/host';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { openLimits } from '../src/limits/limits.ts';
import { rateLimitSettings } from '../src/settings/groups/rate-limits.ts';
import {
  listen,
  type Service,
  type ServiceOptions,
  sharedService,
  startService,
  writeTo,
} from './helper.ts';
import { requestWatch, watchList } from './watched.ts';

const CITIES = { query_model: 'cities', query_attributes: ['id', 'name'] };

/** The cities whose area is no more than 10.5. */
const SMALL_ONES = new Grant(
  new Map([
    [
      'cities',
      { attributes: 'all' as const, rowPolicy: { attribute: 'area', op: 'lte', value: 10.5 } },
    ],
  ]),
);

interface Watchable extends Service {
  readonly port: number;
  readonly watches: OpenWatches;
  /** Runs statements as another program does. */
  readonly write: (sql: string) => void;
}

const SETTINGS = { watchCheckMs: 100 };

/** For the tests that leave the table in its place; each finds 42 cities. */
const shared = await sharedService({ settings: SETTINGS });

async function start(options: ServiceOptions = { over: shared }): Promise<Watchable> {
  const watches = new OpenWatches();
  const service = await startService({
    settings: SETTINGS,
    ...options,
    parts: { watches, ...options.parts },
  });
  const port = await listen(service.app);
  const write = (sql: string): void => writeTo(service.file, sql);
  return { ...service, port, watches, write };
}

beforeEach(() => writeTo(shared.file, 'delete from cities where id > 42'));

/** Every token is taken, and shows the small ones. */
const anybody = async (id: string) => ({ name: id, id, role: null, grant: SMALL_ONES });

const INSERT = "insert into cities (name, area) values ('new', 1)";

describe('a watched list', () => {
  it.each(['POST', 'QUERY'])('sends %s an event at once and after each change', async (method) => {
    const { port, write, ask } = await start();
    const { events, totals, headers } = await watchList(port, CITIES, { method });
    await expect.poll(totals).toEqual(['42']);
    write(INSERT);
    await expect.poll(() => totals().at(-1)).toBe('43');
    const page = await ask({ ...CITIES, page: { page: 1, size: 1 } });
    // What is read beside a commit has no version yet.
    const version = () => events.at(-1)?.data.version;
    await expect.poll(version).toBe(page.headers['data-version']);
    expect(new Set(events.map(({ event }) => event))).toEqual(new Set(['list']));
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'private, no-cache, no-transform',
      'x-accel-buffering': 'no',
      'accept-query': 'application/json',
    });
  });

  it('sends a caller who has its last event no other one until it changes', async () => {
    const { port, write } = await start();
    const first = await watchList(port, CITIES);
    await expect.poll(first.totals).toEqual(['42']);
    const lastId = String(first.events[0]?.id);
    first.leave();
    const again = await watchList(port, CITIES, { lastId });
    const ofAnotherList = { ...CITIES, query_attributes: ['id'] };
    const other = await watchList(port, ofAnotherList, { lastId });
    await expect.poll(other.totals).toEqual(['42']);
    write(INSERT);
    await expect.poll(again.totals).toEqual(['43']);
  });

  it('has no version for a token that does not see it, nor events of what the token does not see', async () => {
    const grant = SMALL_ONES;
    const principal = { name: 'a', id: 'a', role: 'a', grant, hidesDataVersion: true };
    const { port, write } = await start({
      over: shared,
      parts: { authenticate: async () => principal },
    });
    const { totals, events } = await watchList(port, CITIES);
    await expect.poll(totals).toEqual(['10']);
    write("insert into cities (name, area) values ('large', 100)");
    write("update cities set name = 'other' where area > 20");
    write(INSERT);
    await expect.poll(totals).toEqual(['10', '11']);
    expect(events.map(({ data }) => Object.keys(data))).toEqual([['total'], ['total']]);
  });
});

describe('a watch is refused', () => {
  it('when the token watches as many lists as it may, until one of them is left', async () => {
    const settings = rateLimitSettings.parse({ concurrent_watches: 2 });
    const log = { info: () => undefined, warn: () => undefined };
    const limits = await openLimits(settings, { log });
    const { port } = await start({ over: shared, parts: { limits } });
    const [first] = [await watchList(port, CITIES), await watchList(port, CITIES)];
    const refused = await requestWatch(port, CITIES);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    first.leave();
    await expect.poll(async () => (await requestWatch(port, CITIES)).status).toBe(200);
  });

  it('when the service has as many as it lets watch', async () => {
    const { port } = await start({ over: shared, parts: { watches: new OpenWatches(1) } });
    await watchList(port, CITIES);
    const refused = await requestWatch(port, CITIES);
    expect([refused.status, await refused.json()]).toEqual([
      503,
      expect.objectContaining({ code: 'overloaded' }),
    ]);
  });
});

it('no more lists are watched than the service lets watch where they are opened together, and one that is refused takes no place', async () => {
  const service = await startService();
  const gate = Promise.withResolvers<void>();
  let opening = 0;
  const watch: typeof service.engine.watch = async (...call) => {
    opening += 1;
    await gate.promise;
    return service.engine.watch(...call);
  };
  const parts = { authenticate: anybody, watches: new OpenWatches(3) };
  const { port } = await start({ over: service, stub: { watch }, parts });
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  let refused = 0;
  const openSix = async (body: object): Promise<number[]> => {
    const requests = Array.from({ length: 6 }, async (_, index) => {
      const caller = { token: `caller-${index}`, signal: leaving.signal };
      const { status } = await requestWatch(port, body, caller);
      if (status === 503) refused += 1;
      return status;
    });
    await expect.poll(() => opening + refused).toBe(6);
    gate.resolve();
    return (await Promise.all(requests)).toSorted((a, b) => a - b);
  };
  expect(await openSix(CITIES)).toEqual([200, 200, 200, 503, 503, 503]);
  leaving.abort();
  await expect.poll(() => parts.watches.running).toBe(0);
  const wrong = { ...CITIES, query_model: 'none' };
  for (const _ of [1, 2, 3, 4]) expect((await requestWatch(port, wrong)).status).toBe(400);
});

it('the last list that may be watched is left to other tokens', async () => {
  const watches = new OpenWatches(3);
  const { port } = await start({ parts: { authenticate: anybody, watches } });
  for (let times = 0; times < 2; times++) await watchList(port, CITIES, { token: 'greedy' });
  const refused = await requestWatch(port, CITIES, { token: 'greedy' });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  const other = await watchList(port, CITIES, { token: 'other' });
  await expect.poll(other.totals).toEqual(['10']);
  other.leave();
  await expect.poll(() => watches.running).toBe(2);
  await watchList(port, CITIES, { token: 'other' });
});

describe('a watch ends', () => {
  it('with what the caller reads: nothing is looked at any longer', async () => {
    const { port, watches } = await start();
    const { totals, leave } = await watchList(port, CITIES);
    await expect.poll(totals).toEqual(['42']);
    expect(watches.running).toBe(1);
    leave();
    await expect.poll(() => watches.running).toBe(0);
  });

  it('with the token, before another event', async () => {
    let isValid = true;
    const principal = { name: 'a', id: 'a', role: null, grant: SMALL_ONES };
    const authenticate = async () => (isValid ? principal : undefined);
    const { port, watches, engine } = await start({ over: shared, parts: { authenticate } });
    const { totals, events, ended } = await watchList(port, CITIES);
    await expect.poll(totals).toEqual(['10']);
    isValid = false;
    watches.recheckAll();
    await ended;
    expect(events.at(-1)).toMatchObject({
      event: 'problem',
      data: { code: 'unauthenticated', status: 401 },
    });
    await expect.poll(() => [watches.running, engine.watched().lists]).toEqual([0, 0]);
  });

  it('without a problem when the role sees something else, so that the caller asks again', async () => {
    let principal = { name: 'a', id: 'a', role: null, grant: SMALL_ONES };
    const { port, watches } = await start({
      over: shared,
      parts: { authenticate: async () => principal },
    });
    const { events, ended } = await watchList(port, CITIES);
    await expect.poll(() => events.length).toBe(1);
    principal = { ...principal, grant: new Grant('all') };
    watches.recheckAll();
    await ended;
    expect(events.map(({ event }) => event)).toEqual(['list']);
  });

  it('without a problem when the role has changed while it opened', async () => {
    let grant = SMALL_ONES;
    const id = 'a';
    const principal = {
      name: id,
      id,
      role: null,
      get grant() {
        return grant;
      },
    };
    const watch: typeof shared.engine.watch = async (...call) => {
      const opened = await shared.engine.watch(...call);
      grant = new Grant('all');
      return opened;
    };
    const parts = { authenticate: async () => principal };
    const { port, watches } = await start({ over: shared, stub: { watch }, parts });
    const { ended } = await watchList(port, CITIES);
    watches.recheckAll();
    await ended;
    expect(watches.running).toBe(0);
  });

  it('with the model', async () => {
    const { port, write } = await start({});
    const { events, ended } = await watchList(port, CITIES);
    await expect.poll(() => events.length).toBe(1);
    write('drop table cities');
    await ended;
    expect(events.at(-1)).toMatchObject({ event: 'problem', data: { code: 'model_unavailable' } });
  });

  it('with the service, which does not wait for it', async () => {
    const { port, app } = await start();
    const { events, ended } = await watchList(port, CITIES);
    await expect.poll(() => events.length).toBe(1);
    await app.close();
    await ended;
    expect(events.at(-1)).toMatchObject({ event: 'problem', data: { code: 'shutting_down' } });
  });
});
