import { API_PATHS, WATCH_TYPE } from '@proj/contract';
import { expect, it } from 'vitest';

import { temporaryDatabase, until } from './helper.ts';
import { askText, LARGE, open, TOKEN } from './long-replies.ts';
import { readMetrics, valueOf } from './metrics-text.ts';
import { startServer } from './server-process.ts';
import { settingsFile } from './settings-files.ts';

/** A view that takes a while. */
const SQL = `${LARGE}
  create view slow as with recursive n(i) as
    (select 1 union all select i + 1 from n where i < 1000000) select max(i) as id from n;`;

const CITIES = { query_model: 'cities', query_attributes: ['id', 'name'] };
const SLOW = { query_model: 'slow', query_attributes: ['id'], page: { page: 1, size: 1 } };

it.skipIf(process.platform === 'win32').each([
  [1, 0],
  [1, 50],
  [2, 0],
  [2, 50],
])(
  'a service of %i workers that drains for %i ms stops, whatever replies and connections are open',
  async (workers, drain_ms) => {
    const { file } = temporaryDatabase(SQL);
    const settings = {
      database: `sqlite:${file}`,
      expose: 'all',
      models: { slow: { key: ['id'] } },
      verify_keys: 'off',
      metrics: { port: 0 },
      workers,
      limits: { query_timeout_ms: 60_000, drain_ms },
    };
    const { child, ended, metricsUrl, port } = await startServer(
      ['--config', settingsFile(JSON.stringify(settings))],
      { DYNAMIC_QUERY_ADMIN_TOKEN: TOKEN },
    );
    const inFlight = async (): Promise<number | undefined> =>
      valueOf(readMetrics(await (await fetch(metricsUrl)).text()), 'http_requests_in_flight', {});

    const watches = [1, 2, 3, 4].map(() =>
      open(port, askText(API_PATHS.watch, CITIES, { accept: WATCH_TYPE })),
    );
    const slowReader = open(port, askText(API_PATHS.export, CITIES));
    await until(() => slowReader.received().includes('{"id":"1",'));
    slowReader.socket.pause();
    for (const { received } of watches) await until(() => received().includes('event: list'));
    const unused = [open(port, ''), open(port, 'GET /livez HTTP/1.1\r\nHo')];
    const query = open(port, askText(API_PATHS.query, SLOW));
    await until(async () => query.received() !== '' || Number(await inFlight()) >= 6);

    child.kill('SIGTERM');
    for (const { closed, received } of watches) {
      await closed;
      expect(received()).toContain('"code":"shutting_down"');
    }
    await query.closed;
    // A machine that is busy may have no reader for it.
    expect(query.received()).toMatch(/^HTTP\/1\.1 (200|503) [^]*\}$/);
    expect((await ended).code).toBe(0);
    slowReader.socket.resume();
    await Promise.all([slowReader, ...unused].map(({ closed }) => closed));
    expect(slowReader.received()).not.toContain('\r\n0\r\n\r\n');
  },
  120_000,
);
