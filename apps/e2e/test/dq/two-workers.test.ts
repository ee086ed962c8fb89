import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { type RunningService, until } from '@proj/test-servers';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';

import { startService, TOKEN } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { dq } from './dq.ts';

const QUERY_PATH = '/api/v1/dynamic/query';

const ROWS = 42;

const SQL = `
  create table cities (id integer primary key, name text not null);
  with recursive n (i) as (select 1 union all select i + 1 from n where i < ${ROWS})
    insert into cities select i, 'city ' || i from n`;

const EXPORT = ['export', 'cities', '--paged', '--size', '2', '--strict', '--format', 'ndjson'];

const send = fetch;

/** Each request has a connection of its own, so that both workers answer some. */
function sendAnew(...asked: Parameters<typeof fetch>): Promise<Response> {
  const request = new Request(...asked);
  return send(request, {
    headers: { ...Object.fromEntries(request.headers), connection: 'close' },
  });
}

let file = '';
let service: RunningService;

beforeEach(async () => {
  file = join(await temporaryFolder(), 'cities.db');
  write(SQL);
  const settings = 'expose: all\nworkers: 2\n';
  service = await startService({ database: `sqlite:${file}`, settings, logLevel: 'info' });
  onTestFinished(service.stop);
  onTestFinished(() => void vi.unstubAllGlobals());
  await untilVersioned();
});

/** How many processes have answered. */
function answering(): number {
  const lines = service.output().split('\n');
  const pids = lines.map((line) => /"pid":(\d+).*"msg":"answered"/.exec(line)?.[1] ?? '');
  return new Set(pids.filter(Boolean)).size;
}

function write(sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

/** Both workers answer, and the last write is long enough ago for a version. */
async function untilVersioned(): Promise<void> {
  const body = JSON.stringify({
    query_model: 'cities',
    query_attributes: ['id'],
    page: { page: 1, size: 1 },
  });
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const ask = (): Promise<Response> =>
    sendAnew(`${service.origin}${QUERY_PATH}`, { method: 'POST', headers, body });
  await until(async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, ask));
    return (
      answering() === 2 && replies.every((reply) => reply.headers.get('data-version') !== null)
    );
  });
}

/** @param onPage is waited for before each page is asked for */
function exportPaged(onPage: (page: number) => Promise<void> = async () => undefined) {
  let page = 0;
  const sendPage = async (...asked: Parameters<typeof fetch>): Promise<Response> => {
    const request = new Request(...asked);
    if (request.url.endsWith(QUERY_PATH)) await onPage(++page);
    return sendAnew(request);
  };
  vi.stubGlobal('fetch', sendPage);
  return dq(EXPORT, service);
}

it('dq export --strict of a SQLite file that nobody changes succeeds with two workers, whichever answers a page', async () => {
  const { code, stdout, stderr } = await exportPaged();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.trim().split('\n')).toHaveLength(ROWS);
});

it('dq export --strict fails with two workers when a row of the SQLite file changes between two pages', async () => {
  const { code, stderr } = await exportPaged(async (page) => {
    if (page !== 5) return;
    write(`update cities set name = 'renamed' where id = ${ROWS}`);
    await untilVersioned();
  });
  expect(code).toBe(1);
  expect(stderr).toContain('changed');
});
