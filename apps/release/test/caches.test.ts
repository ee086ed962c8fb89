import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { freePort, startProgram, until } from '@proj/test-servers';
import { describe, expect, it, onTestFinished } from 'vitest';

import { unmet } from './support/programs.ts';
import { startService } from './support/service.ts';

const PATH = '/api/v1/dynamic/query';

/** Where a cache listens, which service is behind it, and a folder of its own. */
interface Place {
  readonly folder: string;
  readonly port: number;
  readonly service: number;
}

interface Cache {
  readonly program: string;
  /** The file of its settings. */
  readonly settings: (place: Place) => string;
  readonly args: (settings: string, place: Place) => readonly string[];
}

/** Each keeps whatever it may: none of it is a reply of the service. */
const CACHES: readonly Cache[] = [
  {
    program: 'nginx',
    settings: ({ folder, port, service }) => `daemon off; pid ${folder}/pid;
error_log ${folder}/error.log; events {}
http {
  access_log off; client_body_temp_path ${folder}/a; proxy_temp_path ${folder}/b;
  fastcgi_temp_path ${folder}/c; uwsgi_temp_path ${folder}/d; scgi_temp_path ${folder}/e;
  gzip on; gzip_types application/json; gzip_proxied any; gzip_min_length 20;
  proxy_cache_path ${folder}/kept keys_zone=replies:1m;
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://127.0.0.1:${service}; proxy_http_version 1.1;
      proxy_cache replies; proxy_cache_methods GET HEAD POST; proxy_cache_valid any 1m;
    }
  }
}`,
    args: (settings) => ['-c', settings],
  },
  {
    program: 'varnishd',
    settings: ({ service }) =>
      `vcl 4.1; backend default { .host = "127.0.0.1"; .port = "${service}"; }`,
    args: (settings, { folder, port }) =>
      `-F -a 127.0.0.1:${port} -f ${settings} -n ${folder}/work -s malloc,32m`.split(' '),
  },
  {
    program: 'haproxy',
    settings: ({ port, service }) => `defaults
  mode http
  timeout connect 2s
  timeout client 1m
  timeout server 1m
cache replies
  total-max-size 4
  max-age 60
frontend callers
  bind 127.0.0.1:${port}
  http-request cache-use replies
  http-response cache-store replies
  default_backend services
backend services
  server first 127.0.0.1:${service}
`,
    args: (settings) => ['-f', settings],
  },
];

function sha256(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Two roles that see the same names and other rows. */
const ROLES = ['lt', 'gte'].map(
  (op) => `  ${op}: { models: { orders: { rows: { attribute: id, op: ${op}, value: '50' } } } }`,
);
const TOKENS = ['lt', 'gte'].map(
  (role) => `  - { name: ${role}, role: ${role}, sha256: ${sha256(role)} }`,
);

async function serveOrders(folder: string): Promise<number> {
  const file = join(folder, 'shop.db');
  const database = new DatabaseSync(file);
  database.exec(`create table orders (id integer primary key, note text);
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 99)
    insert into orders select i, 'order ' || i from n`);
  database.close();
  const settings = ['expose: all', 'roles:', ...ROLES, 'tokens:', ...TOKENS].join('\n');
  const service = await startService({ database: `sqlite:${file}`, settings });
  onTestFinished(service.stop);
  return service.port;
}

async function answers(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** A service behind a cache, and how the holders of two tokens ask it. */
async function start({ program, settings, args }: Cache) {
  const folder = mkdtempSync(join(tmpdir(), 'dynamic-query-cache-'));
  // A program that is started by root has workers of another user.
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const place = { folder, port: await freePort(), service: await serveOrders(folder) };
  const file = join(folder, 'cache.conf');
  writeFileSync(file, settings(place));
  const cache = startProgram(program, args(file, place));
  onTestFinished(async () => {
    cache.child.kill('SIGTERM');
    await cache.ended;
  });
  await until(async () => answers(place.port));
  const body = JSON.stringify({
    query_model: 'orders',
    query_attributes: ['id', 'note'],
    page: { page: 1, size: 20 },
  });
  return async (method: 'POST' | 'QUERY', token: string, tag = '', coding = 'identity') => {
    const reply = await fetch(`http://127.0.0.1:${place.port}${PATH}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'accept-encoding': coding,
        'if-none-match': tag,
      },
      body,
    });
    const etag = reply.headers.get('etag') ?? '';
    return { status: reply.status, body: await reply.text(), etag, headers: reply.headers };
  };
}

describe.each(CACHES)('a service behind $program', (cache) => {
  const left = unmet({ programs: [cache.program] });
  it.skipIf(left !== '')(
    `shows no caller the records of another, by POST and by QUERY, and confirms pages${left}`,
    async () => {
      const ask = await start(cache);
      const first = { lt: await ask('POST', 'lt'), gte: await ask('POST', 'gte') };
      expect([first.lt.status, first.gte.status]).toEqual([200, 200]);
      expect(first.lt.body).not.toBe(first.gte.body);
      expect(first.lt.headers.get('accept-query')).toBe('application/json');
      for (const token of ['lt', 'gte', 'lt'] as const) {
        const { body } = first[token];
        const page = await ask('QUERY', token);
        expect(page).toMatchObject({ status: 200, body });
        expect(await ask('QUERY', token, page.etag)).toMatchObject({ status: 304, body: '' });
        const other = await ask('QUERY', token === 'lt' ? 'gte' : 'lt', page.etag);
        expect(other.status).toBe(200);
        expect(other.body).not.toBe(body);
        const packed = await ask('QUERY', token, '', 'gzip');
        expect(packed).toMatchObject({ status: 200, body });
        const held = await ask('QUERY', token, packed.etag, 'gzip');
        expect(held.status).toBe(304);
        expect((await ask('QUERY', 'nobody', page.etag)).status).toBe(401);
      }
    },
  );
});
