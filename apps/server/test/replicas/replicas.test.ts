import { freePort, type PostgresServer, startPostgres } from '@proj/test-servers';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { check } from '../../src/commands/check.ts';
import { loadSettingsWithPlaces } from '../../src/settings/file/load.ts';
import { until } from '../helper.ts';
import { readMetrics, valueOf } from '../metrics-text.ts';
import { startServer } from '../server-process.ts';
import { settingsFile } from '../settings-files.ts';
import { askForFacets, askForNotes, NOTES, ROLES } from './notes.ts';

let primary: PostgresServer;
let standby: PostgresServer;
beforeAll(async () => {
  primary = await startPostgres({ settings: { wal_keep_size: '256MB' } });
  await primary.client(NOTES);
  standby = await primary.startStandby();
});
afterAll(() => Promise.all([primary.stop(), standby.stop()]));

function settingsWith(replicas: string, more = ''): string {
  return settingsFile(
    `database: ${primary.url}\nexpose: all\nreplicas: ${replicas}\n${more}${ROLES}`,
  );
}

/** What the check of settings with some replicas finds. */
async function checked(replicas: string): Promise<string> {
  const loaded = await loadSettingsWithPlaces({
    flags: { config: settingsWith(replicas) },
    env: {},
  });
  return check(loaded).then(
    () => 'no errors',
    (error: Error) => error.message,
  );
}

it('replies say of which state they are, to roles whose queries replicas may answer only', async () => {
  const config = settingsWith(`[${standby.url}]`, 'metrics: { port: 0 }\n');
  const started = performance.now();
  const { metricsUrl, origin, output } = await startServer(['--config', config]);
  await until(() => output().includes('reads may go to a replica'));
  const ask = (token: string, headers = {}): Promise<Response> =>
    askForNotes(origin, token, headers);
  const names = ['data-age', 'data-position'];
  const headersOf = ({ headers }: Response): (string | null)[] =>
    names.map((name) => headers.get(name));

  const clerks = await ask('clerk', { 'data-at-least': 'anything' });
  expect(clerks.status).toBe(200);
  expect(headersOf(clerks)).toEqual([null, null]);

  let age: string | null | undefined = '0';
  await until(async () => {
    [age] = headersOf(await ask('analyst'));
    return age !== '0';
  });
  expect(age).toMatch(/^\d+(\.\d{1,3})?$/);
  const [, position] = headersOf(await ask('analyst'));
  expect(position).toMatch(/^[\dA-F]+\/[\dA-F]+@1\.[\w-]{8}$/);
  expect((await ask('analyst', { 'data-at-least': position ?? '' })).status).toBe(200);

  // The lists differ, and their pages and so their tags do not.
  const query = (headers = {}) => askForNotes(origin, 'analyst', headers, 'QUERY');
  const tag = (await query()).headers.get('etag') ?? '';
  await until(async () => {
    const held = await query({ 'if-none-match': tag });
    expect(held.status).toBe(304);
    return headersOf(held)[0] !== '0';
  });

  await until(async () => {
    const [ageOfFacets, shown] = headersOf(await askForFacets(origin, 'analyst'));
    expect(shown).toMatch(/^[\dA-F]+\/[\dA-F]+@1\.[\w-]{8}$/);
    return ageOfFacets !== '0';
  });
  expect(headersOf(await askForFacets(origin, 'clerk'))).toEqual([null, null]);

  for (const asking of [askForNotes, askForFacets]) {
    const refused = await asking(origin, 'analyst', { 'data-at-least': 'yesterday' });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ code: 'invalid_position' });
  }

  const samples = readMetrics(await (await fetch(metricsUrl)).text());
  const replica = new URL(standby.url).host;
  expect(valueOf(samples, 'dynamic_query_replica_usable', { replica })).toBe(1);
  // It is known since the service compares both, in seconds.
  const lag = valueOf(samples, 'dynamic_query_replica_lag_seconds', { replica });
  expect(lag).toBeLessThanOrEqual((performance.now() - started) / 1000);
  expect(valueOf(samples, 'dynamic_query_replica_reads_total', { replica })).toBeGreaterThan(0);
});

it('a service starts while a replica is away, and says so', async () => {
  const away = `postgres://postgres:secret@127.0.0.1:${await freePort()}/postgres`;
  const { origin, output } = await startServer(['--config', settingsWith(`[]`)], {
    REPLICAS: away,
  });
  const reply = await askForNotes(origin, 'analyst');
  expect([reply.status, reply.headers.get('data-age')]).toEqual([200, '0']);
  expect(output()).toContain(`warning: replicas.0: ${new URL(away).host}: `);
  expect(output()).not.toContain('secret');
});

it('the check of the settings finds what is no replica, and a start the replica of others', async () => {
  const other = await startPostgres({ cluster: '-other' });
  expect(await checked(`[${standby.url}]`)).toBe('no errors');
  expect(await checked(`{ urls: [${standby.url}, ${primary.url}], max_lag_ms: 5000 }`)).toMatch(
    /:3: replicas\.urls\.1: .+: It takes writes itself.+Name a streaming standby/,
  );
  expect(await checked(`[${other.url}]`)).toContain('another cluster than `database`');
  await expect(checked('[mysql://root@127.0.0.1/test]')).rejects.toThrow(
    /:3: replicas\.0: expected a URL of the same kind as that of `database`/,
  );
  await other.stop();
});
