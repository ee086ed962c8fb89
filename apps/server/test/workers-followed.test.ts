import { createClient, listChange } from '@proj/client';
import { newPostgresDatabase, until } from '@proj/test-servers';
import { expect, it } from 'vitest';

import { cityQuery, QUERY_PATH } from './helper.ts';
import { startWorkers, TOKEN } from './two-workers.ts';

const SQL = `
  create table cities (id int primary key, name text not null);
  create table elsewhere (id int generated always as identity primary key);
  insert into cities select n, 'city ' || n from generate_series(1, 42) n;
  create publication dynamic_query for table cities, elsewhere`;

const REQUESTS = 8;

/** Each request has a connection of its own, so that both workers answer some. */
function fetchAnew(request: Request): Promise<Response> {
  return fetch(request, {
    headers: { ...Object.fromEntries(request.headers), connection: 'close' },
  });
}

it.skipIf(process.platform === 'win32')(
  'two workers that follow a table name one version of it, which walks, 304 and watches go by',
  async () => {
    const database = await newPostgresDatabase();
    await database.client(SQL);
    const { origin } = await startWorkers({ database: database.url, follow: true });

    async function replies(etag?: string): Promise<Response[]> {
      const headers = {
        authorization: `Bearer ${TOKEN}`,
        'content-type': 'application/json',
        ...(etag !== undefined && { 'if-none-match': etag }),
      };
      const body = JSON.stringify(cityQuery(1, 1));
      const ask = (): Promise<Response> =>
        fetchAnew(new Request(origin + QUERY_PATH, { method: 'QUERY', headers, body }));
      return Promise.all(Array.from({ length: REQUESTS }, ask));
    }
    const valuesOf = async (header: string): Promise<(string | null)[]> => [
      ...new Set((await replies()).map(({ headers }) => headers.get(header))),
    ];

    // As long as a worker does not follow the table, its version is that of the whole server. That
    // is so of a read, too, for which the changes come too late.
    await until(async () => {
      const before = await valuesOf('data-version');
      await database.client('insert into elsewhere default values');
      await replies();
      const after = await valuesOf('data-version');
      return before.length === 1 && after.join() === before.join();
    });
    const [version] = await valuesOf('data-version');

    const client = createClient({ baseUrl: origin, token: TOKEN, fetch: fetchAnew });
    const list = { model: 'cities', attributes: ['id'] } as const;
    const { records } = await client.all({ ...list, size: 2 }, { onDrift: 'error' });
    expect(records).toHaveLength(42);

    const [etag] = await valuesOf('etag');
    const statuses = (await replies(etag ?? '')).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([304]));

    const shown = await client.query({ ...list, page: 1, size: 1 });
    for (let watch = 0; watch < 4; watch++) {
      for await (const state of client.watch(list)) {
        expect(listChange(shown, state)).toBeNull();
        break;
      }
    }

    await database.client(`update cities set name = 'renamed' where id = 1`);
    await until(async () => {
      const after = await valuesOf('data-version');
      expect(after).not.toContain(version);
      return after.length === 1;
    });
  },
);
