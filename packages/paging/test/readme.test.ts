import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

import { readCities } from '../examples/database.ts';
import fetchHandler from '../examples/fetch-handler.ts';
import { querySchema } from '../examples/maximum.ts';
import { postCities, startExample } from './example-process.ts';
import { packageFile, readmeBlocks, readmeJson } from './readme.ts';

const run = promisify(execFile);
const code = readmeBlocks().filter(({ language }) => language === 'ts');

describe('the README', () => {
  it('shows every example file, and no code that is none', () => {
    const shown = new Set(code.map(({ title }) => title));
    const files = new Set(
      readdirSync(new URL('../examples', import.meta.url)).map((file) => `examples/${file}`),
    );
    expect(shown).toEqual(files);
  });

  it.each(code)('shows $title as it is', ({ title, text }) => {
    expect(text).toBe(packageFile(title ?? ''));
  });

  it('is read in two minutes', () => {
    expect(packageFile('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });
});

/**
 * Turns every `expression; // value` into an assertion, and runs the example against the built
 * package.
 */
function runAsAssertions(example: string): Promise<{ stdout: string }> {
  const lines = example
    .split('\n')
    .map((line) => line.replace(/^(\w+\(.*\)); \/\/ (.+)$/, 'checked(() => $1, () => ($2));'));
  const script = `
    import assert from 'node:assert/strict';
    ${lines.join('\n')}
    console.log(count);
    var count;
    function checked(got, expected) {
      assert.deepEqual(got(), expected());
      count = (count ?? 0) + 1;
    }`;
  return run(process.execPath, ['--input-type=module', '--eval', script]);
}

it('every value in the arithmetic example is what its line gives', async () => {
  const example = packageFile('examples/arithmetic.ts');
  const { stdout } = await runAsAssertions(example);
  expect(Number(stdout)).toBe(example.match(/; \/\/ /g)?.length);
  await expect(runAsAssertions(example.replace('// 20n', '// 21n'))).rejects.toThrow(
    'AssertionError',
  );
});

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

function citiesRequest(body: string): Request {
  return new Request('http://service.test/cities', { method: 'POST', body });
}

describe('a service of the README', () => {
  it.each(['fastify.ts', 'express.ts'])(
    'in %s answers over HTTP as the README says',
    async (file) => {
      const base = await startExample(file);
      expect(await answers((body) => postCities(base, body))).toStrictEqual(expectedAnswers);
    },
  );

  it('in fetch-handler.ts answers a Request as the README says', async () => {
    expect(await answers((body) => fetchHandler.fetch(citiesRequest(body)))).toStrictEqual(
      expectedAnswers,
    );
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
