import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { CLERK, type Service, startService } from '../availability/service.ts';
import { unmet } from '../support/programs.ts';
import { type ExportedDatabase, OPEN_DATABASE } from './databases.ts';
import { type ProxyName, startProxy } from '../support/proxies.ts';

/** Far more than is ever on its way between a service and a caller. */
const ROWS = 400_000;

const BODY = { query_model: 'numbers', query_attributes: ['id', 'note'] };

const PROXIES = ['nginx', 'haproxy'] as const;

const left = unmet({ programs: ['nginx', 'haproxy'] });

describe.skipIf(left !== '')(`an export over HTTP/2${left}`, () => {
  let database: ExportedDatabase;
  let service: Service;

  beforeAll(async () => {
    database = await OPEN_DATABASE.sqlite(ROWS);
    service = await startService(`database: ${database.url}`);
  });
  afterAll(async () => {
    await service?.stop();
    await database?.close();
  });

  it.each(PROXIES)('comes whole through %s, and is as long as it said', async (name) => {
    const { stream, total } = await openExport(name, service);
    const { error, lines, count } = await endOf(stream);
    expect({ error, total, lines, count }).toEqual({
      error: undefined,
      total: ROWS,
      lines: ROWS,
      // nginx passes no trailers on.
      count: name === 'nginx' ? undefined : String(ROWS),
    });
  });

  it.each(
    PROXIES.flatMap((name) => [
      { name, victim: 'the reader of the database' as const },
      { name, victim: 'the service' as const },
    ]),
  )(
    'through $name has neither all records nor the trailer when $victim is killed',
    async ({ name, victim }) => {
      const { stream, total } = await openExport(name, service);
      await new Promise((resolve) => stream.once('readable', resolve));
      if (victim === 'the service') {
        service.child.kill('SIGKILL');
        await service.ended;
        service = await startService(`database: ${database.url}`);
      } else await database.cut(service);
      const ended = await endOf(stream);
      // HAProxy 2.6 ends a reply like a whole one where its server breaks off.
      expect({ total, isReset: ended.error !== undefined, count: ended.count }).toEqual({
        total: ROWS,
        isReset: name === 'nginx',
        count: undefined,
      });
      expect(ended.lines).toBeLessThan(ROWS);
    },
  );
});

interface OpenedExport {
  readonly stream: ClientHttp2Stream;
  /** What it said before its first byte. */
  readonly total: number;
}

/** Asks for an export by HTTP/2, of which nothing is read yet. */
async function openExport(name: ProxyName, { port }: Service): Promise<OpenedExport> {
  const proxy = await startProxy(name, port);
  onTestFinished(() => proxy.stop());
  const session = connect(`http://127.0.0.1:${proxy.http2Port}`);
  session.on('error', () => undefined);
  onTestFinished(() => session.destroy());
  const stream = ask(session);
  const headers = await new Promise<Readonly<Record<string, unknown>>>((resolve, reject) => {
    stream.once('response', resolve).once('error', reject);
  });
  expect(headers[':status']).toBe(200);
  return { stream, total: Number(headers['export-total']) };
}

function ask(session: ClientHttp2Session): ClientHttp2Stream {
  const stream = session.request({
    ':method': 'POST',
    ':path': '/api/v1/dynamic/export',
    authorization: `Bearer ${CLERK}`,
    'content-type': 'application/json',
    te: 'trailers',
  });
  stream.end(JSON.stringify(BODY));
  return stream;
}

/** How the reply to an export ended. */
interface End {
  readonly error: unknown;
  readonly lines: number;
  /** The trailer `Export-Count`. */
  readonly count: unknown;
}

async function endOf(stream: ClientHttp2Stream): Promise<End> {
  let lines = 0;
  let count: unknown;
  stream.once('trailers', (trailers) => (count = trailers['export-count']));
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>)
      for (let at = chunk.indexOf('\n'); at !== -1; at = chunk.indexOf('\n', at + 1)) lines += 1;
    return { error: undefined, lines, count };
  } catch (error) {
    return { error, lines, count };
  }
}
