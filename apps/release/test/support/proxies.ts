import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort, type RunningProgram, startProgram, until } from '@proj/test-servers';

import { ROOT } from '../repository.ts';

/** A reverse proxy before a service. */
export interface Proxy extends RunningProgram {
  readonly port: number;
  /** Where it speaks HTTP/2 at once, without TLS (RFC 9113 §3.3). */
  readonly http2Port: number;
}

interface ProxyParts {
  readonly folder: string;
  readonly port: number;
  readonly http2Port: number;
  readonly service: number;
}

/** Each as one process, which takes all of its connections along when it is killed. */
const PROXIES = {
  nginx: {
    args: (file: string) => ['-c', file],
    settings: ({ folder, port, http2Port, service }: ProxyParts) => `daemon off; master_process off;
pid ${folder}/pid; error_log ${folder}/error.log; events {}
http {
  access_log off; client_body_temp_path ${folder}/a; proxy_temp_path ${folder}/b;
  fastcgi_temp_path ${folder}/c; uwsgi_temp_path ${folder}/d; scgi_temp_path ${folder}/e;
  server {
    listen 127.0.0.1:${port};
    listen 127.0.0.1:${http2Port} http2;
    gzip on; gzip_proxied any; gzip_types *;
${nginxLocation(service)}
  }
}
`,
  },
  haproxy: {
    args: (file: string) => ['-db', '-f', file],
    settings: ({ port, http2Port, service }: ProxyParts) => `defaults
  mode http
  timeout connect 2s
  timeout client 1m
  timeout server 1m
frontend callers
  bind 127.0.0.1:${port}
  bind 127.0.0.1:${http2Port} proto h2
  default_backend services
backend services
  server first 127.0.0.1:${service}
`,
  },
  varnishd: {
    args: (file: string, { folder, port, http2Port }: ProxyParts) =>
      `-F -p feature=+http2 -a 127.0.0.1:${port} -a 127.0.0.1:${http2Port} -f ${file} -n ${folder}/work -s malloc,32m`.split(
        ' ',
      ),
    settings: ({ service }: ProxyParts) =>
      `vcl 4.1; backend default { .host = "127.0.0.1"; .port = "${service}"; }`,
  },
} as const;

/** As the page about reverse proxies has it. */
function nginxLocation(service: number): string {
  const page = readFileSync(join(ROOT, 'docs/guides/reverse-proxy.md'), 'utf8');
  const [, location = ''] = /^```nginx\n(.*?)^```$/ms.exec(page) ?? [];
  return location.replace('127.0.0.1:3000', `127.0.0.1:${service}`);
}

export type ProxyName = keyof typeof PROXIES;

/**
 * Starts a proxy that speaks HTTP/1.1 to a service, and waits until it answers.
 *
 * @param change what is different in its settings
 */
export async function startProxy(
  name: ProxyName,
  service: number,
  change = (settings: string): string => settings,
): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), 'dynamic-query-proxy-'));
  chmodSync(folder, 0o755);
  const [port, http2Port] = [await freePort(), await freePort()];
  const file = join(folder, 'proxy.conf');
  const parts = { folder, port, http2Port, service };
  writeFileSync(file, change(PROXIES[name].settings(parts)));
  const program = startProgram(name, PROXIES[name].args(file, parts));
  const stop = async (): Promise<void> => {
    await program.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  await until(async () => {
    if (program.child.exitCode !== null)
      throw new Error(`${name} did not start: ${program.output()}`);
    return fetch(`http://127.0.0.1:${port}/livez`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return { ...program, stop, port, http2Port };
}
