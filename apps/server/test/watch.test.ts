import { DatabaseSync } from 'node:sqlite';

import { Grant } from '@proj/engine';
import { describe, expect, it } from 'vitest';

import { OpenWatches } from '../src/http/reply/open-watches.ts';
import { openLimits } from '../src/limits/limits.ts';
import { rateLimitSettings } from '../src/settings/groups/rate-limits.ts';
import { listen, type Service, type ServiceOptions, startService, TOKEN } from './helper.ts';
import { requestWatch, WATCH_PATH, watchList } from './watched.ts';

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

async function start(options: ServiceOptions = {}): Promise<Watchable> {
  const watches = new OpenWatches();
  const settings = { watchCheckMs: 100, ...options.settings };
  const service = await startService({
    ...options,
    settings,
    parts: { watches, ...options.parts },
  });
  const port = await listen(service.app);
  const write = (sql: string): void => {
    const database = new DatabaseSync(service.file);
    database.exec(sql);
    database.close();
  };
  return { ...service, port, watches, write };
}

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
    const { port, write } = await start({ parts: { authenticate: async () => principal } });
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
  it('where the list has no version, with the reason', async () => {
    const sql = "create view moments as select 1 as id, datetime('now') as moment;";
    const { port } = await start({ sql, settings: { models: { moments: { key: ['id'] } } } });
    const body = { query_model: 'moments', query_attributes: ['id'] };
    const response = await requestWatch(port, body);
    expect([response.status, await response.json()]).toEqual([
      501,
      expect.objectContaining({
        code: 'not_watchable',
        detail: '"moments" has no version, as a view that depends on more than tables.',
      }),
    ]);
  });

  it('to callers who take no events', async () => {
    const { app } = await start();
    const headers = { authorization: `Bearer ${TOKEN}`, accept: 'application/json' };
    const reply = await app.inject({ method: 'POST', url: WATCH_PATH, headers, payload: CITIES });
    expect(reply).toBeProblem('not_acceptable');
  });

  it('when the token watches as many lists as it may, until one of them is left', async () => {
    const settings = rateLimitSettings.parse({ concurrent_watches: 2 });
    const log = { info: () => undefined, warn: () => undefined };
    const limits = await openLimits(settings, { log });
    const { port } = await start({ parts: { limits } });
    const [first] = [await watchList(port, CITIES), await watchList(port, CITIES)];
    const refused = await requestWatch(port, CITIES);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    first.leave();
    await expect.poll(async () => (await requestWatch(port, CITIES)).status).toBe(200);
  });

  it('when the service has as many as it lets watch', async () => {
    const { port } = await start({ parts: { watches: new OpenWatches(1) } });
    await watchList(port, CITIES);
    const refused = await requestWatch(port, CITIES);
    expect([refused.status, await refused.json()]).toEqual([
      503,
      expect.objectContaining({ code: 'overloaded' }),
    ]);
  });
});

describe('a watch ends', () => {
  it('with what the caller reads: nothing is looked at any longer', async () => {
    const { port, watches } = await start();
    const { totals, leave } = await watchList(port, CITIES);
    await expect.poll(totals).toEqual(['42']);
    expect(watches.open).toBe(1);
    leave();
    await expect.poll(() => watches.open).toBe(0);
  });

  it('with the token, before another event', async () => {
    let isValid = true;
    const principal = { name: 'a', id: 'a', role: null, grant: SMALL_ONES };
    const authenticate = async () => (isValid ? principal : undefined);
    const { port, watches } = await start({ parts: { authenticate } });
    const { totals, events, ended } = await watchList(port, CITIES);
    await expect.poll(totals).toEqual(['10']);
    isValid = false;
    watches.recheckAll();
    await ended;
    expect(events.at(-1)).toMatchObject({
      event: 'problem',
      data: { code: 'unauthenticated', status: 401 },
    });
  });

  it('without a problem when the role sees something else, so that the caller asks again', async () => {
    let principal = { name: 'a', id: 'a', role: null, grant: SMALL_ONES };
    const { port, watches } = await start({ parts: { authenticate: async () => principal } });
    const { events, ended } = await watchList(port, CITIES);
    await expect.poll(() => events.length).toBe(1);
    principal = { ...principal, grant: new Grant('all') };
    watches.recheckAll();
    await ended;
    expect(events.map(({ event }) => event)).toEqual(['list']);
  });

  it('with the model', async () => {
    const { port, write } = await start();
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
