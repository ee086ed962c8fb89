import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { proofLines, proveState, verdictOf } from '@proj/prove-state';
import { newMariadbDatabase, newPostgresDatabase } from '@proj/test-servers';
import { expect, it } from 'vitest';

import { engineSettings } from '../src/settings/engine-settings.ts';
import { loadSettings } from '../src/settings/file/load.ts';
import { settingsOfOne, temporaryDatabase, writeTo } from './helper.ts';
import { runHere } from './run-here.ts';

const PROVED = /^Proved here: each reply was of one state, and reads without one were caught\.$/m;
const KINDS = ['pages', 'exports', 'facets', 'groups', 'containing'];
const FOUND = KINDS.map(
  (kind) =>
    new RegExp(
      `^${kind}: [1-9][\\d,]* replies: 0 contradictions, 0 impossible states; not answered: .+\\. ` +
        String.raw`Broken: [\d,]+, [1-9][\d,]* caught\.$`,
      'm',
    ),
);

/** Runs `dynamic-query check` in this process. */
async function check(...args: readonly string[]) {
  const { code = 0, ...written } = await runHere(['check', ...args]);
  return { code, ...written };
}

const QUICK = ['--seconds', '4', '--commits', '200'];

async function prove(url: string, flags: readonly string[] = []) {
  return check('--database', url, '--prove-state', ...QUICK, ...flags);
}

it('proves on PostgreSQL, as one of several databases, that replies are of one state, and leaves nothing behind', async () => {
  const server = await newPostgresDatabase();
  const { directory } = temporaryDatabase('');
  const config = join(directory, 'several.yaml');
  writeFileSync(config, `databases:\n  shop: { url: '${server.url}' }\n`);
  const proveOf = (table: string) =>
    check('--config', config, '--prove-state', ...QUICK, '--table', table);
  const { code, stdout, stderr } = await proveOf('shop.scratch');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  for (const line of [PROVED, ...FOUND]) expect(stdout).toMatch(line);
  expect(stdout).toMatch(/^shop\.scratch, 4 s: 64 records, [1-9][\d,]* commits/m);
  expect((await server.client("select to_regclass('scratch') is null")).trim()).toBe('t');
  for (const table of ['scratch', 'crm.scratch', 'shop.'])
    expect((await proveOf(table)).stderr).toContain(
      '--table: there are several databases. Name one before the table, as in shop.scratch.',
    );
});

/** What the command does, until the replies prove it, however slow the machine is. */
async function provedLines(database: string): Promise<string> {
  const settings = settingsOfOne(await loadSettings({ flags: { database }, env: {} }));
  const proof = await proveState(engineSettings(settings), {
    table: 'scratch',
    seconds: 600,
    commitsPerSecond: 200,
    signal: new AbortController().signal,
    isEnough: (soFar) => verdictOf(soFar) !== 'unproved',
  });
  // It says how long that took, and not how long it might have taken.
  expect(proof.seconds).toBeLessThan(600);
  return proofLines(proof, { table: 'scratch' }).join('\n');
}

it('proves it on MariaDB', async () => {
  const { url } = await newMariadbDatabase();
  const lines = await provedLines(url);
  for (const line of FOUND) expect(lines).toMatch(line);
});

it('proves it on SQLite', async () => {
  const { file } = temporaryDatabase(
    'create table t (id integer primary key); pragma user_version;',
  );
  writeTo(file, 'pragma journal_mode = wal');
  const lines = await provedLines(`sqlite:${file}`);
  for (const line of FOUND) expect(lines).toMatch(line);
});

it('writes into no table that holds anything else, and names it', async () => {
  const server = await newPostgresDatabase();
  await server.client(`create table orders (id bigint primary key, amount bigint not null);
    insert into orders values (7, 7); create table other (id bigint primary key);`);
  const filled = await prove(server.url, ['--table', 'orders']);
  expect(filled.code).toBe(1);
  expect(filled.stderr).toContain(
    '--table: the table "orders" holds records, and is left as it is.',
  );
  const other = await prove(server.url, ['--table', 'other']);
  expect(other.stderr).toContain('--table: the table "other" holds other columns');
  expect((await server.client('select * from orders')).trim()).toBe('7|7');
  const odd = await prove(server.url, ['--table', 'a"; drop table orders; --']);
  expect(odd.stderr).toContain('--table: expected a name of letters, digits and _');
});

it('uses an empty table that is there and keeps it; where nothing can be written it proves nothing', async () => {
  const server = await newPostgresDatabase();
  await server.client(`create table mine (id bigint primary key, amount bigint not null);
    create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
    create trigger refuse before update on mine execute function refuse();`);
  const { code, stdout, stderr } = await prove(server.url, ['--table', 'mine', '--seconds', '1']);
  expect(code).toBe(3);
  expect(stderr).toContain('dynamic-query: Proves nothing here.');
  expect(stdout).toMatch(/^mine, 1 s: 64 records, 0 commits \([1-9][\d,]* refused\)\.$/m);
  expect((await server.client('select count(*) from mine')).trim()).toBe('0');
});

it('writes by another login where the service may only read, and says what the service cannot see', async () => {
  const server = await newPostgresDatabase();
  await server.client('create role reader login; revoke create on schema public from public;');
  const refused = await prove(server.url.replace(/\/\/[^@]*@/, '//reader@'));
  expect(refused.stderr).toMatch(
    /--table: the table cannot be made \(permission denied .*--write-as <url>\./,
  );
  const reading = server.url.replace(/\/\/[^@]*@/, '//reader@');
  const hidden = await prove(reading, ['--write-as', server.url]);
  expect(hidden.code).toBe(1);
  expect(hidden.stderr).toContain('--table: the service does not serve "scratch":');
  await server.client('alter default privileges grant select on tables to reader;');
  const { stdout } = await prove(reading, ['--write-as', server.url, '--seconds', '1']);
  expect(stdout).toMatch(/^pages: [1-9][\d,]* replies: 0 contradictions, 0 impossible states;/m);
});

it.each(['0', '1.5', 'x'])('takes no --seconds %s', async (seconds) => {
  const { code, stderr } = await check('--prove-state', '--seconds', seconds);
  expect(code).toBe(2);
  expect(stderr).toContain('Expected a whole number from 1 to 86400.');
});

const cluster = process.env['TEST_CITUS_URL'];
const where = cluster === undefined ? ' (skipped: TEST_CITUS_URL names no cluster)' : '';

it.skipIf(cluster === undefined)(
  `proves on Citus that replies are of one state of all servers${where}`,
  async () => {
    const slow = ['--table', 'prove_state_scratch', '--commits', '20', '--seconds', '20'];
    const { code, stdout } = await prove(cluster ?? '', slow);
    expect(code).toBe(0);
    for (const line of [PROVED, ...FOUND]) expect(stdout).toMatch(line);
  },
  120_000,
);
