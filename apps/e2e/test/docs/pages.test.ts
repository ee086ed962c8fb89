import { globSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';

import { expect, it } from 'vitest';

import {
  readExportRequest,
  readFacetsRequest,
  readQueryRequest,
  readWatchRequest,
} from '../../../../packages/contract/src/index.ts';
import { parseExpression } from '../../../../packages/contract/src/filter-expression/parse.ts';
import { buildProgram } from '../../../../packages/cli/src/program.ts';
import { Secrets } from '../../../../packages/cli/src/terminal/terminal.ts';
import { program as operatorProgram } from '../../../server/src/commands/program.ts';
import { loadSettings } from '../../../server/src/settings/file/load.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { readBlocks, readGuide, ROOT, stepsOf, withMember } from './document.ts';
import { commandsOf } from './shell-words.ts';

const PAGES = [
  'docs/start.md',
  'docs/access.md',
  'docs/cheatsheet.md',
  'docs/databases.md',
  ...globSync('docs/guides/*.md', { cwd: ROOT }).toSorted(),
];

/** What a page may leave open: the hash of a token, and the secrets of the environment. */
const ENVIRONMENT = { SHOP_PASSWORD: 'secret', CRM_PASSWORD: 'secret' };
const HASH = 'a'.repeat(64);

/** Each settings file as it is after a block of the page, by the title of the block. */
function settingsFiles(page: string): string[] {
  const files = new Map<string, string>();
  return readGuide(page)
    .filter(({ language, title }) => language === 'yaml' && title !== '')
    .map(({ title, text }) => {
      const [name = '', relation] = title.split(' ').toReversed();
      const before = files.get(name) ?? '';
      const after = relation === 'in' ? withMember(before, text) : text;
      files.set(name, after);
      return after;
    });
}

const WITH_SETTINGS = PAGES.filter((page) => settingsFiles(page).length > 0);

it.each(WITH_SETTINGS)('%s shows settings that the service takes', async (page) => {
  const file = join(await temporaryFolder(), 'dynamic-query.yaml');
  for (const text of settingsFiles(page)) {
    const database = /^databases?:/m.test(text) ? '' : 'database: sqlite:shop.db\n';
    await writeFile(file, `${database}${text.replaceAll('sha256: …', `sha256: ${HASH}`)}`);
    const settings = await loadSettings({ flags: { config: file }, env: ENVIRONMENT });
    expect(Object.keys(settings)).not.toEqual([]);
  }
});

/** The commands of a program that a page shows, each as its words behind the name of the program. */
function callsOf(page: string, name: string): string[][] {
  return readBlocks(page)
    .filter(({ language }) => language === 'console')
    .flatMap((block) => stepsOf(block))
    .flatMap(({ command }) => commandsOf(command))
    .filter((words) => words.includes(name))
    .map((words) => words.slice(words.indexOf(name) + 1));
}

const withCalls = (name: string): string[] =>
  PAGES.filter((page) => callsOf(page, name).length > 0);

type Program = ReturnType<typeof buildProgram>;

/** Reads what is typed, and does nothing of it. */
async function reads(program: Program, words: readonly string[]): Promise<Program> {
  stopActions(program);
  return program.parseAsync([...words], { from: 'user' });
}

function stopActions(program: Program): void {
  program.commands.forEach((command) => stopActions(command));
  program.action(() => undefined);
}

const FILTER_FLAGS = new Set(['-f', '--filter', '--having']);

it.each(withCalls('dq'))('%s shows commands that dq reads', async (page) => {
  for (const words of callsOf(page, 'dq')) {
    const screen = new Writable({ write: (_chunk, _encoding, done) => done() });
    const { signal } = new AbortController();
    const terminal = { env: {}, stdout: screen, stderr: screen, signal };
    const dq = buildProgram({ terminal, secrets: new Secrets() });
    await expect(reads(dq, words)).resolves.toBeDefined();
    const filters = words.filter((_word, index) => FILTER_FLAGS.has(words[index - 1] ?? ''));
    for (const filter of filters) expect(parseExpression(filter)).toBeDefined();
  }
});

it.each(withCalls('dynamic-query'))('%s shows commands that dynamic-query reads', async (page) => {
  for (const words of callsOf(page, 'dynamic-query'))
    await expect(reads(operatorProgram({}, words), words)).resolves.toBeDefined();
});

const READINGS = {
  query: readQueryRequest,
  facets: readFacetsRequest,
  export: readExportRequest,
  watch: readWatchRequest,
} as const;

const BODY_FLAGS = new Set(['-d', '--json']);

/** What is wrong with the requests of the contract that a page sends with curl. */
function wrongRequests(page: string): unknown[] {
  return callsOf(page, 'curl').flatMap((words) => {
    const [, path] = /\/api\/v1\/dynamic\/(query|facets|export|watch)/.exec(words.join(' ')) ?? [];
    if (path === undefined) return [];
    const body = words.find((_word, index) => BODY_FLAGS.has(words[index - 1] ?? '')) ?? '';
    const reading = READINGS[path as keyof typeof READINGS](JSON.parse(body));
    return reading.ok ? [] : reading.errors;
  });
}

it.each(withCalls('curl'))('%s sends requests that the contract has', (page) => {
  expect(wrongRequests(page)).toEqual([]);
});

const PAGES_WITH_BODIES = ['docs/cheatsheet.md', ...globSync('docs/migrate/*.md', { cwd: ROOT })];

/** The parts of request bodies that a page shows, in blocks or inline: `"page": …` or a filter. */
function partsOf(page: string): unknown[] {
  const blocks = readBlocks(page).flatMap(({ language, text }) =>
    language === 'json' ? [text] : [],
  );
  const inline = Array.from(
    readFileSync(new URL(page, ROOT), 'utf8').matchAll(/`("query_.*?|"page": .*?|\{ .*? \})`/g),
    ([, text = '']) => (text.startsWith('{') ? text : `{${text}}`),
  );
  return [...blocks, ...inline].map((text) => JSON.parse(text));
}

it.each(PAGES_WITH_BODIES)('%s shows parts of requests that the contract has', (page) => {
  const whole = { query_model: 'm', query_attributes: ['a'], page: { page: 1, size: 1 } };
  const parts = partsOf(page);
  expect(parts).not.toEqual([]);
  const wrong = parts.flatMap((part) => {
    const members = Object.keys(part as object);
    const isBody = members.some((name) => name.startsWith('query_') || name === 'page');
    if (!isBody && members.some((name) => ['up_to', 'containing'].includes(name))) return [];
    const body = { ...whole, ...(isBody ? (part as object) : { query_filter: part }) };
    const reading = readQueryRequest(body);
    return reading.ok ? [] : reading.errors;
  });
  expect(wrong).toEqual([]);
});
