import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

import { hasPgBouncer, startPgBouncer, startPostgres } from '@proj/test-servers';
import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';

import { readBlocks, ROOT } from './document.ts';
import { Reader } from './reader.ts';

const PAGES = globSync('docs/how-to/*.md', { cwd: ROOT }).toSorted();
/** What pages need besides this repository, and Debian's packages bring. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'docs/how-to/reverse-proxy.md': 'haproxy',
  'docs/how-to/other-languages.md': 'python3',
};
const POOLED = 'docs/how-to/pgbouncer.md';
const FOLLOWED = 'docs/how-to/follow-changes.md';
const REPLICATED = 'docs/how-to/read-replicas.md';
const SECURED = 'docs/how-to/row-level-security.md';
/** Each has servers of its own. */
const WITH_SERVERS = [POOLED, FOLLOWED, REPLICATED, SECURED];
/** What their commands start or install is tried before a release. */
const DEPLOYED = 'docs/how-to/deploy.md';
const GENERATED = 'docs/how-to/generate-a-client.md';
/** Its commands need a cluster; what they do is tested where `TEST_CITUS_URL` names one. */
const CLUSTERED = 'docs/how-to/citus.md';
/** Its example is an example of `packages/conformance`, and tested there. */
const ENDPOINT = 'docs/how-to/build-the-endpoint.md';
/** Their settings are tested with OpenID providers, in `apps/server`. */
const ISSUED = 'docs/how-to/use-an-issuer.md';
const SIGNED_IN = 'docs/how-to/sign-in.md';

async function isInstalled(program: string): Promise<boolean> {
  return promisify(execFile)('which', [program]).then(
    () => true,
    () => false,
  );
}

/** Not followed by the test of all pages. */
const ELSEWHERE = [...WITH_SERVERS, DEPLOYED, GENERATED, CLUSTERED, ENDPOINT, ISSUED, SIGNED_IN];

it.for(PAGES.filter((page) => !ELSEWHERE.includes(page)))(
  '%s prints what it shows, step by step',
  async (page, { skip }) => {
    const program = PROGRAMS[page];
    if (program !== undefined && !process.env['CI'] && !(await isInstalled(program)))
      skip(`${program} is not installed.`);
    const reader = await Reader.createWithShop();
    const blocks = readBlocks(page);
    expect(blocks.length).toBeGreaterThan(1);
    for (const block of blocks.filter(({ language }) => language !== 'nginx'))
      await reader.follow(block);
  },
);

it(`${POOLED} prints what it shows, with a PgBouncer in transaction mode`, async ({ skip }) => {
  if (!process.env['CI'] && !hasPgBouncer()) skip('PgBouncer is not installed.');
  const server = await startPostgres();
  onTestFinished(async () => server.stop());
  await server.client('create table orders (id bigint primary key)');
  const pooler = await startPgBouncer({ server: server.url, mode: 'transaction' });
  onTestFinished(async () => pooler.stop());
  const reader = await Reader.createWithShop();
  for (const block of readBlocks(POOLED).filter(({ language }) => language !== 'ini')) {
    const text = block.text.replace('postgres://app@127.0.0.1:6432/shop', pooler.url);
    await reader.follow({ ...block, text });
  }
  expect(readBlocks(POOLED)).toHaveLength(3);
});

it(`${FOLLOWED} prints what it shows, with a server that is restarted on the way`, async () => {
  const server = await startPostgres();
  onTestFinished(async () => server.stop());
  await server.client('create role app login; create database shop owner app');
  const { host } = new URL(server.url);
  const shop = new Client({ connectionString: `postgres://app@${host}/shop` });
  await shop.connect();
  await shop.query('create table orders (id bigint primary key); insert into orders values (1)');
  await shop.end();
  const reader = await Reader.createWithShop();
  for (const block of readBlocks(FOLLOWED)) {
    const text = block.text.replaceAll('127.0.0.1:5432', host);
    if (block.language === 'sh') await server.restart();
    else await reader.follow({ ...block, text });
  }
  expect(readBlocks(FOLLOWED).filter(({ language }) => language === 'sh')).toHaveLength(1);
});

it(`${SECURED} prints what it shows, with the schema that it shows`, async () => {
  const server = await startPostgres();
  onTestFinished(async () => server.stop());
  await server.client('create database shop');
  const { host } = new URL(server.url);
  const reader = await Reader.createWithShop();
  const blocks = readBlocks(SECURED);
  expect(blocks).toHaveLength(8);
  for (const block of blocks)
    await reader.follow({ ...block, text: block.text.replaceAll('127.0.0.1:5432', host) });
});

it(`${REPLICATED} prints what it shows, with a primary and its standby`, async () => {
  const primary = await startPostgres({ settings: { wal_keep_size: '256MB' } });
  onTestFinished(async () => primary.stop());
  const host = (): string => new URL(primary.url).host;
  await primary.client('create role app login; create database shop owner app');
  const shop = new Client({ connectionString: `postgres://app@${host()}/shop` });
  await shop.connect();
  await shop.query('create table orders (id bigint primary key); insert into orders values (1)');
  await shop.end();
  const standby = await primary.startStandby();
  onTestFinished(async () => standby.stop());
  const reader = await Reader.createWithShop();
  for (const block of readBlocks(REPLICATED).slice(0, -1)) {
    const text = block.text
      .replaceAll('127.0.0.1:5432', host())
      .replaceAll('127.0.0.1:5433', new URL(standby.url).host);
    await reader.follow({ ...block, text });
  }
  expect(readBlocks(REPLICATED).at(-1)?.text).toContain('max_lag_ms');
}, 120_000);

it.for(['docs/tutorial.md', ...PAGES].filter((page) => ![POOLED, DEPLOYED].includes(page)))(
  '%s says before each block what no page shows of it: the name of its file, or that it keeps running',
  (page) => {
    const unsaid = readBlocks(page).filter(({ title, lead }) => {
      const said = title === 'keeps running' ? 'running' : `\`${title.split(' ').at(-1)}\``;
      return title !== '' && !lead.includes(said);
    });
    expect(unsaid).toEqual([]);
  },
);

it('each how-to page is one task on few screens, and is listed in the index', () => {
  const index = readFileSync(new URL('docs/README.md', ROOT), 'utf8');
  for (const page of PAGES) {
    expect(readFileSync(new URL(page, ROOT), 'utf8').split('\n').length).toBeLessThanOrEqual(150);
    expect(index).toContain(`(${page.replace('docs/', '')})`);
  }
});
