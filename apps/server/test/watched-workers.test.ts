import { describe, expect, it } from 'vitest';

import { until, writeTo } from './helper.ts';
import { metricOf, sharedWorkers, TOKEN } from './two-workers.ts';
import { requestWatch, watchList } from './watched.ts';

const CITIES = { query_model: 'cities', query_attributes: ['id'] };

const isWindows = process.platform === 'win32';

describe.skipIf(isWindows)('lists that are watched in two workers', async () => {
  if (isWindows) return;
  const settings = { limits: { watch_check_ms: 100 }, rate_limits: { concurrent_watches: 12 } };
  const { file, port, metrics, workers } = await sharedWorkers(settings);
  const watch = () => watchList(port, CITIES, { token: TOKEN });

  /** Writes to the file that the workers serve. */
  function insertCity(): void {
    writeTo(file, "insert into cities (name, area) values ('new', 1)");
  }

  it('have their events in both, and as many watches of a token as it may have in all', async () => {
    const watched = await Promise.all(Array.from({ length: 12 }, () => watch()));
    const last = () => watched.map(({ totals }) => totals().at(-1));
    await expect.poll(last).toEqual(watched.map(() => '42'));
    expect((await requestWatch(port, CITIES, { token: TOKEN })).status).toBe(429);
    expect(metricOf(await metrics(), 'dynamic_query_watches_open')).toBe(12);
    insertCity();
    await expect.poll(last).toEqual(watched.map(() => '43'));
    watched[0]?.leave();
    const freed = new AbortController();
    const { signal } = freed;
    await until(
      async () => (await requestWatch(port, CITIES, { token: TOKEN, signal })).status === 200,
    );
    freed.abort();
  });

  it('go on in the other worker where theirs is killed', async () => {
    await until(async () => metricOf(await metrics(), 'dynamic_query_watches_open') === 0);
    const watched = await Promise.all(Array.from({ length: 8 }, () => watch()));
    const last = () => watched.map(({ totals }) => totals().at(-1));
    await expect.poll(last).toEqual(watched.map(() => '43'));
    const ended = watched.map(async (one) => one.ended.catch(() => undefined));
    const [killed = 0] = workers();
    process.kill(killed, 'SIGKILL');
    await Promise.race(ended);
    const again = await watch();
    insertCity();
    await expect.poll(() => again.totals().at(-1)).toBe('44');
    const others = watched.filter(({ totals }) => totals().at(-1) === '44');
    for (const { totals } of others) expect([...new Set(totals())]).toEqual(['43', '44']);
  });
});
