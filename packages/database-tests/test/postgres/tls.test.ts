import { execFile } from 'node:child_process';
import { chown, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, describe, expect, it } from 'vitest';

import { openPostgres } from '../../../postgres/src/source.ts';
import { outcome } from '../outcome.ts';
import { type PostgresServer, read, useOwnPostgres } from './server.ts';

const run = promisify(execFile);

/** Whether the connection is encrypted, or why there is none. */
async function encryption(url: string): Promise<string> {
  try {
    const source = await openPostgres(url);
    const encrypted = await read(
      source,
      `select ssl::text, 1 from pg_stat_ssl where pid = pg_backend_pid()`,
    );
    await source.close();
    return encrypted;
  } catch (error) {
    return outcome(Promise.reject(error));
  }
}

/** Gives the server a certificate of its own making for 127.0.0.1, and its path. */
async function encrypt(server: PostgresServer): Promise<string> {
  const [key, certificate] = [
    join(server.directory, 'server.key'),
    join(server.directory, 'server.crt'),
  ];
  const subject = ['-subj', '/CN=somebody else', '-days', '2'];
  await run('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    key,
    '-out',
    certificate,
    ...subject,
  ]);
  const { uid, gid } = await stat(server.directory);
  await Promise.all([key, certificate].map((file) => chown(file, uid, gid)));
  await server.client(`alter system set ssl = on;\nselect pg_reload_conf()`);
  await expect.poll(() => server.client('show ssl')).toBe('on');
  return certificate;
}

describe('the sslmode of a PostgreSQL URL', () => {
  const postgres = useOwnPostgres();
  const warnings: string[] = [];
  const warned = ({ message }: Error): void => void warnings.push(message);
  process.on('warning', warned);
  afterAll(() => process.off('warning', warned));

  it('means what it means to libpq, without a word from the driver', async () => {
    const { url } = postgres();
    expect(await encryption(`${url}?sslmode=prefer`)).toBe('false');
    expect(await encryption(`${url}?sslmode=require`)).toMatch(
      /^SettingsError: .*The server does not support SSL connections\.$/,
    );
    const certificate = await encrypt(postgres());
    expect(await encryption(`${url}?sslmode=disable`)).toBe('false');
    expect(await encryption(`${url}?sslmode=prefer`)).toBe('true');
    expect(await encryption(`${url}?sslmode=require`)).toBe('true');
    expect(await encryption(`${url}?sslmode=verify-ca&sslrootcert=${certificate}`)).toBe('true');
    expect(await encryption(`${url}?sslmode=verify-full&sslrootcert=${certificate}`)).toMatch(
      /altnames|certificate/,
    );
    expect(await encryption(`${url}?sslmode=verify-full`)).toMatch(/self-signed certificate/);
    expect(warnings).toEqual([]);
  });

  it('is refused where an authority is missing', async () => {
    const { url } = postgres();
    expect(await encryption(`${url}?sslmode=verify-ca`)).toMatch(
      /^SettingsError: database: sslmode=verify-ca needs the authority/,
    );
    const missing = await encryption(`${url}?sslmode=verify-ca&sslrootcert=/nowhere.pem`);
    expect(missing).toBe('SettingsError: database: the URL is no good: /nowhere.pem: ENOENT.');
  });
});
