import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { CLERK, type Service, startService } from '../availability/service.ts';
import { unmet } from '../support/programs.ts';
import { type Proxy, type ProxyName, startProxy } from '../support/proxies.ts';

const POLLING = { timeout: 30_000 };

const PATH = '/api/v1/dynamic/watch';

const BODY = JSON.stringify({
  query_model: 'notes',
  query_attributes: ['id'],
  watch_every_ms: 100,
});

const HEADERS = {
  authorization: `Bearer ${CLERK}`,
  'content-type': 'application/json',
  accept: 'text/event-stream',
};

/** Text that comes piece by piece, and whether it has ended. */
interface Stream {
  text: string;
  hasEnded: boolean;
}

/** How a caller asks for the events of a list. */
const ASK: Readonly<Record<string, (proxy: Proxy) => Promise<Stream>>> = {
  'HTTP/1.1': async ({ port }) => {
    const leaving = new AbortController();
    onTestFinished(() => leaving.abort());
    const reply = await fetch(`http://127.0.0.1:${port}${PATH}`, {
      method: 'POST',
      // nginx compresses what it passes on.
      headers: { ...HEADERS, 'accept-encoding': 'gzip' },
      body: BODY,
      signal: leaving.signal,
    });
    expect(reply.status).toBe(200);
    return follow((reply.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()));
  },
  'HTTP/2': async ({ http2Port }) => {
    const session = connect(`http://127.0.0.1:${http2Port}`);
    session.on('error', () => undefined);
    onTestFinished(() => session.destroy());
    const stream = session.request({ ':method': 'POST', ':path': PATH, ...HEADERS });
    stream.setEncoding('utf8').end(BODY);
    return follow(stream as AsyncIterable<string>);
  },
};

function follow(pieces: AsyncIterable<string>): Stream {
  const stream = { text: '', hasEnded: false };
  const read = async (): Promise<void> => {
    for await (const piece of pieces) stream.text += piece;
  };
  const end = (): void => void (stream.hasEnded = true);
  read().then(end, end);
  return stream;
}

/** The totals of the events, each once: a total may come again with the version of the data. */
function totals({ text }: Stream): unknown[] {
  const all = [...text.matchAll(/^data: (.*)$/gm)].map(
    ([, data = '']) => (JSON.parse(data) as { readonly total?: unknown }).total,
  );
  return [...new Set(all)];
}

const left = unmet({ programs: ['nginx', 'haproxy'] });

/** As the page about reverse proxies has it, and without what it sets in nginx. */
const PROXIES = {
  nginx: { name: 'nginx', change: (text: string) => text },
  'nginx with its own defaults': {
    name: 'nginx',
    change: (text: string) => text.replace(/proxy_(?:buffering|http_version) .*;/g, ''),
  },
  HAProxy: { name: 'haproxy', change: (text: string) => text },
} as const satisfies Readonly<
  Record<string, { readonly name: ProxyName; readonly change: object }>
>;

describe.skipIf(left !== '')(`a watched list${left}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'dynamic-query-watched-'));
  const database = new DatabaseSync(join(folder, 'notes.db'));
  let service: Service;

  beforeAll(async () => {
    database.exec('pragma journal_mode = wal; create table notes (id integer primary key)');
    const url = `sqlite:${join(folder, 'notes.db')}`;
    service = await startService(`database: ${url}\nlimits: { watch_check_ms: 100 }`);
  });
  afterAll(async () => {
    await service?.stop();
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  describe.each(Object.entries(PROXIES))('behind %s', (_title, { name, change }) => {
    it.each(Object.entries(ASK))(
      'has each event over %s as it comes, and leaves nothing open behind it',
      async (_version, ask) => {
        database.exec('delete from notes');
        const proxy = await startProxy(name, service.port, change);
        onTestFinished(() => proxy.stop());
        const stream = await ask(proxy);
        await expect.poll(() => totals(stream), POLLING).toEqual(['0']);
        database.exec('insert into notes values (1), (2)');
        await expect.poll(() => totals(stream), POLLING).toEqual(['0', '2']);
        database.exec('delete from notes where id = 1');
        await expect.poll(() => totals(stream), POLLING).toEqual(['0', '2', '1']);
        expect(stream.hasEnded).toBe(false);
        await proxy.stop();
        await expect
          .poll(async () => service.metric('dynamic_query_watches_open'), POLLING)
          .toBe(0);
      },
    );
  });

  it.each(Object.entries(ASK))(
    'ends over %s behind nginx and behind HAProxy with the service, which says so',
    async (_version, ask) => {
      const url = `sqlite:${join(folder, 'notes.db')}`;
      const other = await startService(`database: ${url}`);
      onTestFinished(() => other.stop());
      const streams: Stream[] = [];
      for (const name of ['nginx', 'haproxy'] as const) {
        const proxy = await startProxy(name, other.port);
        onTestFinished(() => proxy.stop());
        streams.push(await ask(proxy));
      }
      for (const stream of streams)
        await expect.poll(() => totals(stream).length, POLLING).toBeGreaterThan(0);
      other.child.kill('SIGTERM');
      await other.ended;
      for (const stream of streams) {
        await expect.poll(() => stream.hasEnded, POLLING).toBe(true);
        expect(stream.text).toContain('"code":"shutting_down"');
      }
    },
  );
});
