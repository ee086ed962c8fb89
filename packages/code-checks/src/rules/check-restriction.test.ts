import { expect, it } from 'vitest';

import { parseFile } from '../source-file.ts';
import { checkRestriction } from './check-restriction.ts';

/** The lines where a file breaks a rule. */
function violations(path: string, text: string): string[] {
  return checkRestriction([parseFile(path, text)], {
    what: 'SQLite',
    modules: /^node:sqlite$/,
    code: /\bsqlite\b|^process\.env$/i,
    within: ['src', 'other'],
    places: ['src/sqlite', 'src/open.ts'],
  });
}

it.each([
  "import { DatabaseSync } from 'node:sqlite';",
  "import type { DatabaseSync } from 'node:sqlite';",
  "export * from 'node:sqlite';",
  "await import('node:sqlite');",
  "let database: import('node:sqlite').DatabaseSync;",
  "const name = 'sqlite';",
  'const text = `a ${word} of SQLite`;',
  'function isSqlite() {}',
  'const sqlitePath = 1;',
  'let path = databases.sqlite;',
  'const { sqlite } = databases;',
  'class Example { #sqlite = 1; }',
  'run(process.env);',
  'const path = process.env.PATH;',
])('finds `%s` outside of its places', (text) => {
  expect(violations('src/a.ts', `\n${text}`)).toContain('src/a.ts:2');
});

it.each([
  '// SQLite has no dates.',
  '/** A comment on SQLite. */',
  "import { open } from './sqlite/open.ts';",
  'const sqliter = environment;',
])('passes over `%s`', (text) => {
  expect(violations('src/a.ts', text)).toEqual([]);
});

it.each([
  ['src/sqlite/a.ts', []],
  ['src/open.ts', []],
  ['elsewhere/a.ts', []],
  ['src/sqlites/a.ts', ['src/sqlites/a.ts:1']],
  ['other/a.ts', ['other/a.ts:1']],
])('in %s finds %j', (path, found) => {
  expect(violations(path, "const a = 'sqlite';")).toEqual(found);
});
