import { fileURLToPath } from 'node:url';

import { startPostgres, startService } from '@proj/test-servers';
import { describe, expect, it, onTestFinished } from 'vitest';

import { makeMemoryGroup, withoutMemoryGroups } from './support/memory-group.ts';

const SERVER = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url));
const MIB = 2 ** 20;

/** What the Kubernetes manifest allows. */
const MEMORY = 768 * MIB;

const TOKEN = 'memory-test-token';

/** 1000 records are 50 MB; on disk they are small. */
const TABLES = `
  create table large (id int primary key, cell text);
  insert into large select n, repeat('x', 50000) from generate_series(1, 12000) as n;
  create table small (id int primary key, cell text);
  insert into small select n, repeat(md5(n::text), 12) from generate_series(1, 100000) as n;`;

const SMALL = { query_model: 'small', query_attributes: ['id', 'cell'] };

const LARGE_PAGES = 12;
const RECORDS = 1000;
const FLOOD_CALLERS = 64;
const ROUNDS = 3;

type Post = (path: string, body: object) => Promise<Response>;

const left = withoutMemoryGroups();

describe.skipIf(left !== '')(`a service with the memory of the manifest${left}`, () => {
  it('survives many pages of 50 MB at once, beside a flood of kept replies, facets and an export', async () => {
    const database = await startPostgres();
    onTestFinished(() => database.stop());
    await database.client(TABLES);
    const group = makeMemoryGroup(MEMORY);
    onTestFinished(() => group.remove());
    const command = [process.execPath, SERVER, 'serve', '--database', database.url];
    const service = await startService([...group.enter, ...command], {
      env: { EXPOSE: 'all', DYNAMIC_QUERY_ADMIN_TOKEN: TOKEN, QUERY_TIMEOUT_MS: '1200000' },
    });
    onTestFinished(service.stop);
    const post: Post = (path, body) =>
      fetch(`${service.origin}/api/v1/dynamic/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        // A service that was killed answers nobody.
      }).catch(() => Response.error());

    const ending = new AbortController();
    const again = (path: string, body: object): Promise<number> =>
      askAgain(ending.signal, () => post(path, body));
    const beside = [
      again('facets', {
        query_model: 'small',
        query_facets: [{ attribute: 'cell', values: 1000 }],
      }),
      again('export', SMALL),
      ...Array.from({ length: FLOOD_CALLERS }, () =>
        again('query', { ...SMALL, page: { page: 1, size: 100 } }),
      ),
    ];
    const outcomes: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const pages = Array.from({ length: LARGE_PAGES }, (_, page) => askLarge(post, page + 1));
      outcomes.push(...(await Promise.all(pages)));
    }
    ending.abort();
    const replies = await Promise.all(beside);
    const alive = await fetch(`${service.origin}/livez`).catch(() => undefined);
    console.info(
      `${(group.most() / MIB).toFixed(0)} MiB at most; ` +
        `${outcomes.filter((outcome) => outcome === 'whole').length} of ${outcomes.length} large pages, ` +
        `${replies.reduce((sum, count) => sum + count, 0)} other replies.`,
    );
    expect(group.killed()).toBe(0);
    expect(alive?.status).toBe(200);
    expect(new Set(outcomes)).toEqual(new Set(['whole', '503']));
    expect(Math.min(...replies)).toBeGreaterThan(0);
  });
});

/** What a caller saw of a page: its status, and whether all records are there. */
async function askLarge(post: Post, page: number): Promise<string> {
  const reply = await post('query', {
    query_model: 'large',
    query_attributes: ['id', 'cell'],
    page: { page, size: RECORDS },
  });
  const text = await reply.text();
  if (!reply.ok) return String(reply.status);
  const { result } = JSON.parse(text) as { result: readonly { readonly id: number }[] };
  return result.at(-1)?.id === page * RECORDS ? 'whole' : 'cut';
}

/** Asks until the signal aborts, and returns how often there was a reply. */
async function askAgain(signal: AbortSignal, ask: () => Promise<Response>): Promise<number> {
  let replies = 0;
  while (!signal.aborted) {
    const reply = await ask();
    await reply.body?.pipeTo(new WritableStream());
    if (reply.ok) replies += 1;
  }
  return replies;
}
