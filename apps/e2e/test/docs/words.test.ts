import { globSync, readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { ROOT } from './document.ts';

const DICTIONARY = readFileSync(new URL('docs/dictionary.md', ROOT), 'utf8');
const PAGES = ['*.md', 'docs/**/*.md', '{packages,apps}/*/README.md']
  .flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
  .filter((page) => page !== 'docs/dictionary.md');

/** Words that the dictionary replaces, and that mean nothing else in these pages. */
const REPLACED = /\b(elements?|patience|passengers?|hopeless|dear|mend(ed)?|tally|narrowed)\b/i;

it('the dictionary has at most 60 terms, each once', () => {
  const terms = [...DICTIONARY.matchAll(/^\| ([^|]+?) +\|/gm)].map(([, term = '']) => term);
  const own = terms.slice(2);
  expect(new Set(own).size).toBe(own.length);
  expect(own.length).toBeGreaterThan(30);
  expect(own.length).toBeLessThanOrEqual(60);
});

it.each(PAGES)('%s uses no word that the dictionary replaces', (page) => {
  const lines = readFileSync(new URL(page, ROOT), 'utf8').split('\n');
  expect(lines.filter((line) => REPLACED.test(line))).toEqual([]);
});
