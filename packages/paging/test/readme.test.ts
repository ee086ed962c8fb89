import { subscribe } from 'node:diagnostics_channel';
import { readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { runInNewContext } from 'node:vm';

import * as paging from '@proj/paging';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { readCities } from '../examples/database.ts';
import fetchHandler from '../examples/fetch-handler.ts';
import { querySchema } from '../examples/maximum.ts';

/** A file of this package, by its path from the package's root. */
function packageFile(path: string): string {
  return readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
}

/** Every fenced block of the README, in order: its language, its title and its text. */
const blocks = Array.from(
  packageFile('README.md').matchAll(/^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$/gms),
  ([, language, title, text]) => ({ language, title, text }),
);

/** The JSON block of this title, read. */
function readmeJson(title: string): unknown {
  const block = blocks.find((one) => one.language === 'json' && one.title === title);
  return JSON.parse(block?.text ?? 'null');
}

const code = blocks.filter(({ language }) => language === 'ts');

describe('the README', () => {
  it('shows or links every example file, and shows no code that is none', () => {
    const shown = code.map(({ title }) => title);
    const links = packageFile('README.md').matchAll(/\((examples\/[\w-]+\.ts)\)/g);
    const linked = Array.from(links, ([, file]) => file);
    const files = readdirSync(new URL('../examples', import.meta.url));
    expect(new Set([...shown, ...linked])).toEqual(
      new Set(files.map((file) => `examples/${file}`)),
    );
  });

  it.each(code)('shows $title as it is', ({ title, text }) => {
    expect(text).toBe(packageFile(title ?? ''));
  });

  it('is read in two minutes', () => {
    expect(packageFile('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });
});

const values = packageFile('examples/arithmetic.ts').matchAll(/^(\w+\(.*\)); \/\/ (.+)$/gm);

it.each(Array.from(values, ([, expression = '', value = '']) => [expression, value]))(
  'the value of %s in the arithmetic example is %s',
  (expression, value) => {
    expect(runInNewContext(expression, { ...paging })).toEqual(runInNewContext(`(${value})`));
  },
);

const malformed = [
  '{}',
  '{"page":{"page":0,"size":10}}',
  '{"page":{"page":"1","size":10}}',
  '{"page":{"page":1}}',
  '[]',
  '{',
  '',
];

type Post = (body: string) => Promise<Response>;

async function answer(post: Post, body: string): Promise<{ status: number; body: unknown }> {
  const response = await post(body);
  return { status: response.status, body: await response.json() };
}

/** What each of the three services answers, whichever way it is reached. */
async function answers(post: Post): Promise<unknown> {
  return {
    shown: await answer(post, JSON.stringify(readmeJson('request'))),
    third: await answer(post, '{"page":{"page":3,"size":10}}'),
    beyond: await answer(post, '{"page":{"page":6,"size":10}}'),
    malformed: await Promise.all(malformed.map(async (body) => (await post(body)).status)),
  };
}

const expectedAnswers = {
  shown: { status: 200, body: readmeJson('reply') },
  third: {
    status: 200,
    body: {
      result: Array.from({ length: 10 }, (_, index) => ({ name: `City ${21 + index}` })),
      page: { page: '3', size: '10', total: '42', has_next: true },
    },
  },
  beyond: {
    status: 200,
    body: { result: [], page: { page: '6', size: '10', total: '42', has_next: false } },
  },
  malformed: malformed.map(() => 400),
};

/** Starts the service of an example in this process, and gives its base URL. */
async function startExample(file: string): Promise<string> {
  vi.stubEnv('PORT', '0');
  const listening = Promise.withResolvers<Server>();
  subscribe('tracing:net.server.listen:asyncEnd', (message) => {
    listening.resolve((message as { server: Server }).server);
  });
  await import(`../examples/${file}.ts`);
  const server = await listening.promise;
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function citiesRequest(base: string, body: string): Request {
  const headers = { 'content-type': 'application/json', connection: 'close' };
  return new Request(`${base}/cities`, { method: 'POST', headers, body });
}

describe('a service of the README', () => {
  it.each(['fastify', 'express'])(
    'in %s.ts answers over HTTP as the README says',
    async (example) => {
      const base = await startExample(example);
      expect(await answers(async (body) => fetch(citiesRequest(base, body)))).toStrictEqual(
        expectedAnswers,
      );
    },
  );

  it('in fetch-handler.ts answers a Request as the README says', async () => {
    expect(
      await answers((body) => fetchHandler.fetch(citiesRequest('http://service.test', body))),
    ).toStrictEqual(expectedAnswers);
  });
});

describe('the database example', () => {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT NOT NULL)');
  for (let number = 1; number <= 42; number += 1)
    database.exec(`INSERT INTO city (name) VALUES ('City ${number % 2}')`);

  it.each([
    [1, 10, 10],
    [5, 10, 2],
    [6, 10, 0],
    [1, Number.MAX_SAFE_INTEGER, 42],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 0],
  ])('reads page %i of size %i: %i rows and the true total', (page, size, rows) => {
    const reply = readCities(database, { page, size });
    expect(reply.result).toHaveLength(rows);
    expect(reply.page).toMatchObject({ page: String(page), size: String(size), total: '42' });
  });
});

it('the maximum example refuses a size above it, and keeps the errors of the schema', () => {
  const sizes = [1, 1000, 1001, 0];
  const results = sizes.map((size) => querySchema.safeParse({ page: { page: 1, size } }));
  expect(results.map(({ success }) => success)).toEqual([true, true, false, false]);
  expect(results[2]?.error?.issues).toMatchObject([
    { path: ['page', 'size'], message: 'at most 1000' },
  ]);
});
