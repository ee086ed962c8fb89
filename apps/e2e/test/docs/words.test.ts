import { globSync, readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { ROOT } from './document.ts';

const DICTIONARY = readFileSync(new URL('docs/dictionary.md', ROOT), 'utf8');
const PAGES = ['*.md', 'docs/**/*.md', '{packages,apps}/*/README.md']
  .flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
  .filter((page) => page !== 'docs/dictionary.md');

/** A word that the dictionary replaces, and that means nothing else in these pages. */
const REPLACED = /\belements?\b/i;

const SOURCES = globSync('{packages,apps}/*/{src,test}/**/*.{ts,tsx}', { cwd: ROOT }).filter(
  (file) => !file.endsWith('words.test.ts'),
);

/** Words of the sources that the dictionary replaces. `stands for` is plain English. */
const REPLACED_IN_SOURCES = new RegExp(
  `${REPLACED.source}|\\b(told|tells|makes known|stands(?! for))\\b`,
  'i',
);

/** `Element` is a type of the DOM, and a published name of the OpenAPI document. */
const PUBLISHED_NAME = /\bElement\b/g;

/** Where `element` is the word of the field: items of an array, nodes of a page or a schema. */
const WITH_ELEMENTS = [
  'packages/engine/src/sources/postgres/values/encode.ts',
  'packages/engine/src/sources/postgres/introspection/introspection.ts',
  'packages/engine/src/sources/postgres/values/wire-types.test.ts',
  'packages/engine/src/sources/postgres/values/wire-types.ts',
  'apps/e2e/test/explorer/table.test.ts',
  'apps/explorer/src/filter/operand-input-type.ts',
  'apps/server/src/http/openapi/schemas.ts',
  'apps/server/src/http/reply/parquet/columns.ts',
];

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

it('comments, strings and test titles use no word that the dictionary replaces', () => {
  const hits = SOURCES.flatMap((file) => {
    const allowed = WITH_ELEMENTS.includes(file) ? /\belements?\b/gi : PUBLISHED_NAME;
    return readFileSync(new URL(file, ROOT), 'utf8')
      .split('\n')
      .map((line, index) => `${file}:${index + 1}: ${line.replaceAll(allowed, '')}`)
      .filter((line) => REPLACED_IN_SOURCES.test(line));
  });
  expect(hits).toEqual([]);
});
