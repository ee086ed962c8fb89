import { once } from 'node:events';
import { connect } from 'node:net';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { CLERK, type Service, startService } from '../availability/service.ts';
import { unmet } from '../support/programs.ts';
import { type ExportedDatabase, OPEN_DATABASE } from './databases.ts';
import { type ProxyName, startProxy } from '../support/proxies.ts';

/** Far more than is ever on its way between a service and a caller. */
const ROWS = 400_000;

const PATH = '/api/v1/dynamic/export';
const BODY = JSON.stringify({ query_model: 'numbers', query_attributes: ['id', 'note'] });
const HEADERS = { authorization: `Bearer ${CLERK}`, 'content-type': 'application/json' };

const PROXIES = ['nginx', 'haproxy', 'varnishd'] as const;

const left = unmet({ programs: PROXIES });

describe.skipIf(left !== '')(`an export over HTTP/1${left}`, () => {
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

  const startBefore = async (name: ProxyName): Promise<number> => {
    const proxy = await startProxy(name, service.port);
    onTestFinished(() => proxy.stop());
    return proxy.port;
  };

  describe.each(PROXIES)('through %s', (name) => {
    it.each(['POST', 'QUERY'])('comes whole by %s, and is as long as it said', async (method) => {
      const url = `http://127.0.0.1:${await startBefore(name)}${PATH}`;
      const call = { method, headers: HEADERS, body: BODY };
      const reply = await fetch(url, call);
      expect(reply.headers.get('export-total')).toBe(String(ROWS));
      expect((await reply.text()).split('\n')).toHaveLength(ROWS + 1);
    });

    it('breaks off when the reader of the database is killed', async () => {
      const url = `http://127.0.0.1:${await startBefore(name)}${PATH}`;
      const reply = await fetch(url, { method: 'POST', headers: HEADERS, body: BODY });
      const reader = reply.body?.getReader();
      await reader?.read();
      await database.cut(service);
      await expect(
        (async () => {
          while ((await reader?.read())?.done === false);
        })(),
      ).rejects.toThrow('terminated');
    });
  });

  it('is refused with 505 for a caller that speaks HTTP/1.0 to nginx, as the page has it set up', async () => {
    const lines = Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}\r\n`);
    const socket = connect(await startBefore('nginx'), '127.0.0.1');
    socket.write(
      `POST ${PATH} HTTP/1.0\r\n${lines.join('')}content-length: ${BODY.length}\r\n\r\n${BODY}`,
    );
    const [reply] = (await once(socket.setEncoding('utf8'), 'data')) as [string];
    socket.destroy();
    expect(reply.split('\r\n', 1)).toEqual(['HTTP/1.1 505 HTTP Version Not Supported']);
  });
});
