import { DatabaseSync } from 'node:sqlite';

import { describe, expect, it } from 'vitest';

import { until } from './helper.ts';
import { metricOf, startWorkers, TOKEN, type Workers } from './two-workers.ts';
import { requestWatch, watchList } from './watched.ts';

const POLLING = { timeout: 30_000 };

const CITIES = { query_model: 'cities', query_attributes: ['id'] };

const LIMITS = { limits: { watch_check_ms: 100 } };

/** Writes to the file that the workers serve. */
function insertInto({ file }: Workers): void {
  const database = new DatabaseSync(file);
  database.exec("insert into cities (name, area) values ('new', 1)");
  database.close();
}

describe.skipIf(process.platform === 'win32')('lists that are watched in two workers', () => {
  it('have their events in both, and as many watches of a token as it may have in all', async () => {
    const settings = { ...LIMITS, rate_limits: { concurrent_watches: 12 } };
    const service = await startWorkers(settings);
    const { port, metrics } = service;
    const watched = await Promise.all(
      Array.from({ length: 12 }, () => watchList(port, CITIES, { token: TOKEN })),
    );
    const last = () => watched.map(({ totals }) => totals().at(-1));
    await expect.poll(last, POLLING).toEqual(watched.map(() => '42'));
    expect((await requestWatch(port, CITIES, { token: TOKEN })).status).toBe(429);
    expect(metricOf(await metrics(), 'dynamic_query_watches_open')).toBe(12);
    insertInto(service);
    await expect.poll(last, POLLING).toEqual(watched.map(() => '43'));
    watched[0]?.leave();
    await until(async () => (await requestWatch(port, CITIES, { token: TOKEN })).status === 200);
  });

  it('go on in the other worker where theirs is killed', async () => {
    const service = await startWorkers(LIMITS);
    const { port, workers } = service;
    const watch = () => watchList(port, CITIES, { token: TOKEN });
    const watched = await Promise.all(Array.from({ length: 8 }, () => watch()));
    const last = () => watched.map(({ totals }) => totals().at(-1));
    await expect.poll(last, POLLING).toEqual(watched.map(() => '42'));
    const ended = watched.map(async (one) => one.ended.catch(() => undefined));
    const [killed = 0] = workers();
    process.kill(killed, 'SIGKILL');
    await Promise.race(ended);
    const again = await watch();
    insertInto(service);
    await expect.poll(() => again.totals().at(-1), POLLING).toBe('43');
    const others = watched.filter(({ totals }) => totals().at(-1) === '43');
    for (const { totals } of others) expect([...new Set(totals())]).toEqual(['42', '43']);
  });
});
