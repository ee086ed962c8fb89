import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { PROBLEMS } from '@proj/contract';
import { expect, it } from 'vitest';

import { dq } from './dq.ts';
import { problem } from './service/answer.ts';
import { cities } from './service/cities.ts';
import { serve } from './service/serve.ts';
import { TOKEN } from './service/service.ts';
import { temporaryFolder } from './temporary-folder.ts';

const env = { DYNAMIC_QUERY_URL: 'http://127.0.0.1:9' };

it.each([
  [[], 2, 'Usage: dq'],
  [['nosuch'], 2, "unknown command 'nosuch'"],
  [['query'], 2, "missing required argument 'model'"],
  [['query', 'cities', '--page', '0'], 2, 'Expected a whole number from 1'],
  [['query', 'cities', '--sort', 'a,,b'], 2, '--sort: expected attributes such as'],
  [['export', 'cities', '--format', 'xml'], 2, 'Allowed choices are csv, ndjson, json'],
  [
    ['export', 'cities', '-o', 'x.xlsx'],
    2,
    '--output: no format ends in .xlsx. Name a file that ends in .csv, .ndjson, .json or .parquet',
  ],
  [['export', 'cities', '--csv-null', 'a,b'], 2, '--csv-null: expected a text without commas'],
  [
    ['export', 'cities', '-o', 'a.json', '--csv-null', 'NULL'],
    2,
    '--csv-null is for CSV, and a.json becomes json.',
  ],
  [
    ['export', 'cities', '-o', 'a.csv', '--format', 'json'],
    2,
    '--format json and --output a.csv name two formats.',
  ],
  [
    ['query', 'cities', '--format', 'csv'],
    2,
    'dq export writes CSV and other formats. See: dq query',
  ],
  [['query', 'cities', '--limit', '5'], 2, 'Did you mean --size? See: dq query --help'],
  [['export', 'cities', '-o', '-', '--restart'], 2, '--restart goes with a file.'],
  [['export', 'cities', '--resume'], 2, '--resume goes with a file. Name it with -o.'],
  [['export', 'cities', '-o', 'x', '--resume', '--restart'], 2, 'exclude each other'],
  [['export', 'cities', '--order', 'key', '--sort', 'name'], 2, 'Leave --sort out'],
  [['models', '--token-file', '/no/such/file'], 2, '/no/such/file cannot be read. Name a file'],
  [['models', '--url', 'data.example.com'], 2, 'expected an absolute http or https URL'],
  [['models'], 1, 'Check DYNAMIC_QUERY_URL (or --url), and that the service runs.'],
  [['conformance', 'https://a.example', '--quiet'], 2, 'npx @proj/conformance <url>'],
])('refuses %j with exit code %i and a next step', async (args, exitCode, message) => {
  const outcome = await dq(args, { env });
  expect(outcome.stderr).toContain(message);
  expect(outcome.exitCode).toBe(exitCode);
  expect(outcome.stdout).toBe('');
});

it('says which variable is missing', async () => {
  expect((await dq(['models'])).stderr).toBe(
    'dq: no service is named. Set DYNAMIC_QUERY_URL, or pass --url https://data.example.com\n',
  );
  expect((await dq(['models'], { env: { ...env, DYNAMIC_QUERY_TOKEN: '' } })).stderr).toContain(
    'DYNAMIC_QUERY_TOKEN is not set',
  );
});

it('lists its commands and variables for --help', async () => {
  const { stdout, exitCode } = await dq(['--help']);
  expect(exitCode).toBe(0);
  for (const text of [
    'models',
    'query',
    'export',
    'types',
    'completion',
    'DYNAMIC_QUERY_TOKEN',
    '130 interrupted',
  ]) {
    expect(stdout).toContain(text);
  }
  expect(stdout).not.toContain('__complete');
  expect((await dq(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

it('takes the token from a file', async () => {
  const { url } = await serve(cities(1));
  const file = join(await temporaryFolder(), 'token');
  await writeFile(file, `${TOKEN}\n`);
  expect(
    (await dq(['models', '--token-file', file], { url, env: { DYNAMIC_QUERY_TOKEN: '' } }))
      .exitCode,
  ).toBe(0);
});

it('takes a token with a line break at its end, and says where one is that cannot be', async () => {
  const { url } = await serve(cities(1));
  const models = async (token: string) =>
    dq(['models'], { url, env: { DYNAMIC_QUERY_TOKEN: token } });
  expect((await models(`${TOKEN}\n`)).exitCode).toBe(0);
  for (const [token, complaint] of [
    [
      `Bearer ${TOKEN}`,
      'DYNAMIC_QUERY_TOKEN begins with "Bearer". Put the token there without that word.',
    ],
    [
      `${TOKEN}\nmore`,
      'DYNAMIC_QUERY_TOKEN holds a blank, a line break or another character that no token has. ' +
        'Put the token there and nothing else.',
    ],
  ] as const) {
    const { stderr, exitCode } = await models(token);
    expect([stderr, exitCode]).toEqual([`dq: ${complaint}\n`, 2]);
  }
});

it('says in one line that a service does not speak TLS', async () => {
  const { url } = await serve(cities(1));
  const { host } = new URL(url);
  const { stderr, exitCode } = await dq(['models'], { url: `https://${host}` });
  expect([stderr, exitCode]).toEqual([
    `dq: https://${host} does not speak TLS. Try DYNAMIC_QUERY_URL=http://${host} (or --url), ` +
      'which sends the token unencrypted.\n',
    1,
  ]);
});

it.each([
  ['-populaton', 'cities has no attribute "populaton". A sort is written as in --sort -population'],
  [
    'population:desc',
    'cities has no attribute "population:desc". A sort is written as in --sort -',
  ],
  ['tags', 'tags is of type json, which has no order. Sort by id, name, population, area, founded'],
])('refuses the sort %s before anything is read', async (sort, complaint) => {
  const { url, queries } = await serve(cities(1));
  for (const command of [['query'], ['export'], ['page-of', '9007199254740993']]) {
    const [name = '', ...key] = command;
    const outcome = await dq([name, 'cities', ...key, '--sort', sort], { url });
    expect(outcome.stderr).toContain(`dq: --sort: ${complaint}`);
    expect(outcome.exitCode).toBe(2);
  }
  expect(queries.filter((query) => query.includes('query_sort'))).toEqual([]);
});

it('says what to do about a refused token', async () => {
  const { url } = await serve(cities(1));
  const { stderr, exitCode } = await dq(['models'], {
    url,
    env: { DYNAMIC_QUERY_TOKEN: 'wrong-token-000' },
  });
  expect(stderr).toMatch(
    /^dq: 401 unauthenticated: .* Put a valid token into DYNAMIC_QUERY_TOKEN, .* \(request id [\w-]+\)\n$/,
  );
  expect(exitCode).toBe(1);
});

it.each([
  ['rate_limited', '12', 'Try again in 12 s.'],
  ['quota_exceeded', '39601', 'Try again in 12 h, or ask the operator for a larger quota.'],
  ['quota_exceeded', 'none', 'Try again later, or ask the operator for a larger quota.'],
  ['shutting_down', '300', 'Try again in 5 min; another process will answer.'],
  ['overloaded', 'none', 'Try again later.'],
] as const)(
  'says at %s, with a Retry-After of %s, when to try again',
  async (code, after, step) => {
    const headers: Record<string, string> = after === 'none' ? {} : { 'retry-after': after };
    const { url } = await serve(cities(1), { after: () => problem(code, { headers }) });
    const { stderr, exitCode } = await dq(['models'], { url });
    expect(stderr).toContain(`${PROBLEMS[code].meaning} ${step} (request id `);
    expect(exitCode).toBe(1);
  },
);

it('never shows the token, neither from a flag nor where the service sends it back', async () => {
  const flag = await dq(['models', `--token=${TOKEN}`], { env });
  expect(flag.stderr).toBe("dq: unknown option '--token'. See: dq models --help\n");
  const echo = {
    after: () => ({
      ...problem('internal'),
      body: { ...Object(problem('internal').body), detail: `Bearer ${TOKEN}` },
    }),
  };
  const { url } = await serve(cities(1), echo);
  for (const args of [['models'], ['query', 'cities'], ['export', 'cities'], ['types']]) {
    const { stdout, stderr, exitCode } = await dq(args, {
      url,
      env: { DYNAMIC_QUERY_TOKEN: TOKEN },
    });
    expect(stdout + stderr).not.toContain(TOKEN);
    expect(exitCode).toBe(1);
  }
});

it('says that a model does not exist, and where to look', async () => {
  const { url } = await serve(cities(1));
  const { stderr } = await dq(['query', 'citys'], { url });
  expect(stderr).toBe(
    'dq: there is no model "citys" here. See: dq models. If that fails too, check ' +
      'DYNAMIC_QUERY_URL (or --url).\n',
  );
});

it('writes one line without escape sequences, whatever the service answers', async () => {
  const hostile = {
    after: () =>
      problem('invalid_value', {
        errors: [{ pointer: '/x', code: 'invalid_value', detail: '\u001b[31mred\nnext' }],
      }),
  };
  const { url } = await serve(cities(1), hostile);
  const { stderr } = await dq(['models'], { url });
  expect(stderr).toMatch(/^dq: 400 invalid_value: \\u\{1b\}\[31mred next [^\n]*\n$/);
});
