import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { inspect } from 'node:util';

import { afterEach, expect, it, vi } from 'vitest';

import { cities, contractService, problem, TOKEN } from './contract-service.ts';
import { inTurn, serve } from './http-server.ts';

const ROOT = join(import.meta.dirname, '..');
const EXAMPLES = globSync('examples/*.ts', { cwd: ROOT }).map((file) => basename(file, '.ts'));
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const source = (example: string): string =>
  readFileSync(join(ROOT, 'examples', `${example}.ts`), 'utf8');

it('shows examples word for word and no other code, and links the rest', () => {
  const blocks = [...README.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code);
  expect(README.match(/^```./gm)).toHaveLength(blocks.length);
  const shown = EXAMPLES.filter((example) => blocks.includes(source(example)));
  expect(shown).toHaveLength(blocks.length);
  const linked = [...README.matchAll(/\(examples\/(.*?)\.ts\)/g)].map(([, example]) => example);
  expect(shown.length + linked.length).toBe(EXAMPLES.length);
  expect(new Set([...shown, ...linked])).toEqual(new Set(EXAMPLES));
  expect(README.split('\n').length).toBeLessThanOrEqual(150);
});

it.each(EXAMPLES)('prints what the example %s says', async (example) => {
  const rows = cities(42);
  const works = contractService(rows, {
    version: () => `v${rows.length}`,
    // A list that is watched becomes longer.
    onEvent: () => void (rows.length === 42 && rows.push(...cities(44).slice(42))),
  });
  const server = await serve(
    inTurn(problem(503, 'overloaded', { headers: { 'retry-after': '0' } }), works),
  );
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', async (request: Request) => {
    const { origin, pathname } = new URL(request.url);
    expect(origin).toBe('https://data.example.com');
    expect(request.headers.get('authorization')).toBe('Bearer my-access-token');
    const local = new Request(server.url + pathname, request);
    local.headers.set('authorization', `Bearer ${TOKEN}`);
    return fetch(local);
  });
  const printed: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => {
    printed.push(
      values.map((value) => (typeof value === 'string' ? value : inspect(value))).join(' '),
    );
  });
  await import(`../examples/${example}.ts`);
  expect(printed).toEqual([...source(example).matchAll(/\/\/=> (.*)$/gm)].map(([, line]) => line));
});
