import { join } from 'node:path';

import { afterFile } from '@proj/test-servers';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { beforeAll, expect, it, onTestFinished } from 'vitest';

import { describeInBrowser } from '../browser.ts';
import { SQLITE } from '../support/database.ts';
import { startService, TOKEN } from '../support/service.ts';
import { serveScript } from '../support/web-page.ts';

const ENTRY = join(import.meta.dirname, 'programs', 'expose-sdk.ts');

describeInBrowser(
  'the SDK in a browser, on a page of another origin than the service',
  (browser) => {
    let [service, site] = ['', ''];

    beforeAll(async () => {
      const [{ url, run }, script] = [await SQLITE.start(), await serveScript(await bundle())];
      afterFile(script.stop);
      await run('create table cities (id integer primary key, name text not null)');
      await run(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 4200)
      insert into cities select i, 'city ' || i from n`);
      const settings = `expose: all\ncors_origins: ['${script.origin}']\n`;
      const { origin } = await startService({ database: url, settings });
      [service, site] = [origin, script.origin];
    });

    /** A window with the SDK, in which nothing may go wrong unseen. */
    const open = async (): Promise<Page> => {
      const tab = await browser().newPage();
      const errors: unknown[] = [];
      tab.on('pageerror', (error) => errors.push(error));
      onTestFinished(async () => {
        await tab.close();
        expect(errors).toEqual([]);
      });
      await tab.goto(site);
      await tab.waitForFunction(() => 'dynamicQuery' in globalThis);
      return tab;
    };

    it('reads one page, with nothing of Node at hand', async () => {
      const tab = await open();
      expect(
        await tab.evaluate(() =>
          ['process', 'Buffer', 'global', 'require'].filter((name) => name in globalThis),
        ),
      ).toEqual([]);
      const read = await tab.evaluate(
        async ([baseUrl, token]) => {
          const client = globalThis.dynamicQuery.createClient({ baseUrl, token, int64: 'bigint' });
          const cities = await client.query({
            model: 'cities',
            attributes: ['id', 'name'],
            page: 3,
            size: 10,
          });
          const { number, total, pageCount, hasNext, records } = cities;
          return {
            number,
            total,
            pageCount,
            hasNext,
            first: records[0],
            previous: (await cities.previous())?.records.at(-1),
          };
        },
        [service, TOKEN] as const,
      );
      expect(read).toEqual({
        number: 3,
        total: 4200n,
        pageCount: 420n,
        hasNext: true,
        first: { id: 21n, name: 'city 21' },
        previous: { id: 20n, name: 'city 20' },
      });
    });

    it.each(['page', 'key'] as const)(
      'reads all records in %s order, and sees that nothing changed',
      async (order) => {
        const tab = await open();
        const read = await tab.evaluate(
          async ({ baseUrl, token, order: chosen }) => {
            const client = globalThis.dynamicQuery.createClient({ baseUrl, token });
            const ids: unknown[] = [];
            let last: unknown;
            const onProgress = (progress: unknown): void => void (last = progress);
            const list = { model: 'cities', attributes: ['id'], size: 100, order: chosen } as const;
            for await (const { id } of client.records(list, { concurrency: 8, onProgress }))
              ids.push(id);
            return { ids, last };
          },
          { baseUrl: service, token: TOKEN, order },
        );
        expect(read.ids).toEqual(Array.from({ length: 4200 }, (_, index) => String(index + 1)));
        // The reply's header that names the version reaches a page of another origin only where the
        // service says so.
        expect(read.last).toEqual({
          read: 4200,
          total: 4200n,
          page: 42,
          pageCount: 42n,
          drift: null,
        });
      },
    );

    it('sends QUERY where it is to, and takes a page that has not changed from its memory', async () => {
      const tab = await open();
      const statuses: string[] = [];
      tab.on('response', (response) =>
        statuses.push(`${response.request().method()} ${response.status()}`),
      );
      const names = await tab.evaluate(
        async ([baseUrl, token]) => {
          const options = { baseUrl, token, method: 'query', revalidate: true } as const;
          const client = globalThis.dynamicQuery.createClient(options);
          const page = { model: 'cities', attributes: ['name'], page: 2, size: 1 };
          const read: unknown[] = [];
          for (let time = 1; time <= 3; time++) read.push((await client.query(page)).records[0]);
          return read;
        },
        [service, TOKEN] as const,
      );
      expect(names).toEqual(Array.from({ length: 3 }, () => ({ name: 'city 2' })));
      // It asks for leave first, as the service is of another origin.
      expect(statuses.filter((line) => !line.startsWith('OPTIONS'))).toEqual([
        'POST 200',
        'QUERY 200',
        'QUERY 304',
      ]);
    });
  },
);

/** The SDK as an application brings it to a browser: one script. */
async function bundle(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, lib: { entry: ENTRY, formats: ['es'] }, minify: true },
  });
  const [result] = Array.isArray(built) ? built : [built];
  if (result === undefined || !('output' in result))
    throw new Error('The bundler watches instead of building.');
  const { output } = result;
  expect(output.map(({ type }) => type)).toEqual(['chunk']);
  expect(output[0].imports).toEqual([]);
  return output[0].code;
}
