import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { freePort, startProgram, until } from '@proj/test-servers';
import { expect, it, onTestFinished } from 'vitest';

import { startConformance } from '../src/conformance.ts';
import type { RuleResult } from '../src/run-rules.ts';

const EXAMPLE = join(import.meta.dirname, '..', 'examples', 'express.ts');
const HOW_TO = new URL('../README.md', import.meta.url);
const TOKEN = 'a-token-of-the-test';

async function startExample(): Promise<string> {
  const port = await freePort();
  const program = startProgram(process.execPath, [EXAMPLE], { PORT: String(port), TOKEN });
  onTestFinished(program.stop);
  const url = `http://127.0.0.1:${port}`;
  await until(async () => {
    const reply = await fetch(`${url}/livez`).catch(() => undefined);
    return reply?.ok === true;
  });
  return url;
}

it('finds that the Express endpoint of the README keeps every rule that it does not leave out', async () => {
  const url = await startExample();
  const selected = { model: 'cities', attributes: ['id', 'name'] };
  const { results } = await startConformance({ url, token: TOKEN, ...selected });
  const found: RuleResult[] = [];
  for await (const result of results) found.push(result);
  expect(found.filter(({ outcome }) => outcome === 'fails')).toEqual([]);
  // The core of the contract: pages, their metadata, requests, problems and access.
  expect(found.filter(({ outcome }) => outcome === 'holds').length).toBeGreaterThan(30);
});

it('shows in the README parts of the Express endpoint as it is tried', () => {
  const blocks = readFileSync(HOW_TO, 'utf8').matchAll(/^```ts\n(.*?)^```$/gms);
  const shown = Array.from(blocks, ([, block = '']) => withoutIndentation(block));
  const example = withoutIndentation(readFileSync(EXAMPLE, 'utf8'));
  expect(shown).not.toEqual([]);
  expect(shown.filter((block) => !example.includes(block))).toEqual([]);
});

/** The page may show a part of a chain of calls without the white space before its lines. */
function withoutIndentation(text: string): string {
  return text.replaceAll(/^ +/gm, '');
}
