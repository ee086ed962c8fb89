import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

import {
  beforeRelease,
  newPostgresDatabase,
  type PostgresServer,
  SEED,
  startPostgres,
} from '@proj/test-servers';
import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';

import { readBlocks, readGuide, ROOT } from './document.ts';
import { Reader } from './reader.ts';

const GUIDES = globSync('docs/guides/*.md', { cwd: ROOT }).toSorted();
const PAGES = ['docs/access.md', ...GUIDES];
/** What pages need besides this repository, and Debian's packages bring. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'docs/guides/reverse-proxy.md': 'haproxy',
  'docs/guides/other-languages.md': 'python3',
};
const FOLLOWED = 'docs/guides/follow-changes.md';
const REPLICATED = 'docs/guides/read-replicas.md';
const SECURED = 'docs/guides/row-level-security.md';
/** What its commands start is tried before a release. */
const DEPLOYED = 'docs/guides/deploy.md';
/** Its examples are those of `packages/fastify`, and tested there. */
const MOUNTED = 'docs/guides/mount-in-your-app.md';
/** Its settings are tested with OpenID providers, in `apps/server`. */
const SIGNED_IN = 'docs/guides/sign-in.md';
/** Its settings are tested with files of each format, in `packages/duckdb` and `apps/server`. */
const OF_FILES = 'docs/guides/files.md';

async function isInstalled(program: string): Promise<boolean> {
  return promisify(execFile)('which', [program]).then(
    () => true,
    () => false,
  );
}

/** Pages that need a database server. */
const WITH_SERVERS: Readonly<Record<string, () => Promise<void>>> = {
  [FOLLOWED]: followThroughRestart,
  [REPLICATED]: followReplicated,
  [SECURED]: followSecured,
};

const ELSEWHERE = [DEPLOYED, SIGNED_IN, MOUNTED, OF_FILES];
const FOLLOWABLE = PAGES.filter((page) => !ELSEWHERE.includes(page));

/** Two pages, which change with the commit. Before a release all. */
function chosenPages(): readonly string[] {
  if (beforeRelease) return FOLLOWABLE;
  const first = SEED % FOLLOWABLE.length;
  return [...FOLLOWABLE.slice(first), ...FOLLOWABLE].slice(0, 2);
}

it.for(chosenPages())('%s prints what it shows, step by step', async (page, { skip }) => {
  const program = PROGRAMS[page];
  if (program !== undefined && !process.env['CI'] && !(await isInstalled(program)))
    skip(`${program} is not installed.`);
  expect(readBlocks(page).length).toBeGreaterThan(1);
  await (WITH_SERVERS[page] ?? follow)(page);
});

/** What they show of other proxies than the one that is tried. */
const OF_PROXIES: ReadonlySet<string> = new Set(['nginx', 'caddy']);

async function follow(page: string): Promise<void> {
  const reader = await Reader.createWithShop();
  const blocks = readGuide(page).filter(({ language }) => !OF_PROXIES.has(language));
  // What is made with a package of npm is tried before a release.
  const installing = blocks.findIndex(({ text }) => text.includes('npm install'));
  for (const block of installing < 0 ? blocks : blocks.slice(0, installing))
    await reader.follow(block);
}

/** With a server that is restarted on the way. */
async function followThroughRestart(): Promise<void> {
  const server = await startShop();
  const { host } = new URL(server.url);
  const reader = await Reader.createWithShop();
  for (const block of readBlocks(FOLLOWED)) {
    const text = block.text.replaceAll('127.0.0.1:5432', host);
    if (block.language === 'sh') await server.restart();
    else await reader.follow({ ...block, text });
  }
  expect(readBlocks(FOLLOWED).filter(({ language }) => language === 'sh')).toHaveLength(1);
}

/** With the schema that it shows. */
async function followSecured(): Promise<void> {
  const { host, pathname } = new URL((await newPostgresDatabase()).url);
  const reader = await Reader.createWithShop();
  const blocks = readBlocks(SECURED);
  expect(blocks).toHaveLength(7);
  for (const block of blocks) {
    const text = block.text.replaceAll('127.0.0.1:5432/shop', `${host}${pathname}`);
    await reader.follow({ ...block, text });
  }
}

/** With a primary and its standby. */
async function followReplicated(): Promise<void> {
  const primary = await startShop({ wal_keep_size: '256MB' });
  const standby = await primary.startStandby();
  onTestFinished(async () => standby.stop());
  const reader = await Reader.createWithShop();
  for (const block of readBlocks(REPLICATED).slice(0, -1)) {
    const text = block.text
      .replaceAll('127.0.0.1:5432', new URL(primary.url).host)
      .replaceAll('127.0.0.1:5433', new URL(standby.url).host);
    await reader.follow({ ...block, text });
  }
  expect(readBlocks(REPLICATED).at(-1)?.text).toContain('max_lag_ms');
}

/** A server with a shop that has one order. */
async function startShop(settings: Readonly<Record<string, string>> = {}): Promise<PostgresServer> {
  const server = await startPostgres({ settings });
  onTestFinished(async () => server.stop());
  await server.client('create role app login; create database shop owner app');
  const { host } = new URL(server.url);
  const shop = new Client({ connectionString: `postgres://app@${host}/shop` });
  await shop.connect();
  await shop.query('create table orders (id bigint primary key); insert into orders values (1)');
  await shop.end();
  return server;
}

it.for(['docs/start.md', ...PAGES].filter((page) => page !== DEPLOYED))(
  '%s says before each block what no page shows of it: the name of its file, or that it keeps running',
  (page) => {
    const unsaid = readBlocks(page).filter(({ title, lead }) => {
      const said = title === 'keeps running' ? 'running' : `\`${title.split(' ').at(-1)}\``;
      return title !== '' && !lead.includes(said);
    });
    expect(unsaid).toEqual([]);
  },
);

it('each guide is one task on few screens, and is listed in the index', () => {
  const index = readFileSync(new URL('docs/README.md', ROOT), 'utf8');
  for (const page of GUIDES) {
    expect(readFileSync(new URL(page, ROOT), 'utf8').split('\n').length).toBeLessThanOrEqual(81);
    expect(index).toContain(`(${page.replace('docs/', '')})`);
  }
});
