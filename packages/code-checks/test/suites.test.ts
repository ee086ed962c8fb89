import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { ROOT } from '../src/repository.ts';

const DOCUMENT = 'docs/release-suite.md';

/** The faults that are tried on the built service. */
const FAULT_ROWS = 'apps/release/test/faults/rows';

/** A file whose tests are not the same in both suites; those of apps/release are in one alone. */
function tellsSuitesApart(path: string): boolean {
  if (path.startsWith('apps/release/')) return false;
  return (
    path.endsWith('.release.test.ts') ||
    /import \{[^}]*\b(beforeRelease|eachNth)\b/.test(readFileSync(join(ROOT, path), 'utf8'))
  );
}

it(`${DOCUMENT} names every test file that waits for a release, in full or in part`, () => {
  // Behind the mark is the last run, which has files of its own.
  const [text = ''] = readFileSync(join(ROOT, DOCUMENT), 'utf8').split('<!-- record -->');
  const listed = [...text.matchAll(/^\| `([^`]+\.ts)`/gm)];
  const tests = globSync('{packages,apps}/*/{src,test}/**/*.test.ts', { cwd: ROOT });
  const apart = tests.map((path) => path.replaceAll('\\', '/')).filter(tellsSuitesApart);
  expect(listed.map(([, path = '']) => path).toSorted()).toEqual(apart.toSorted());
});

it(`${DOCUMENT} names every fault that is tried, beside the file that tries it`, () => {
  const [, after = ''] = readFileSync(join(ROOT, DOCUMENT), 'utf8').split('\n## Faults\n');
  const [section = ''] = after.split('\n## ');
  const listed = [...section.matchAll(/^\| (.+?) +\| `([^`]+\.ts)`/gm)];
  const missing = listed.filter(([, , path = '']) => !existsSync(join(ROOT, path)));
  expect(missing).toEqual([]);
  const tables = listed.filter(([, , path = '']) => path.startsWith(FAULT_ROWS));
  const named = Object.fromEntries(tables.map(([, names = '', path = '']) => [path, names]));
  const files = globSync(`${FAULT_ROWS}/*.ts`, { cwd: ROOT });
  const tried = files.map((path) => [path.replaceAll('\\', '/'), namesIn(path).join(', ')]);
  expect(named).toEqual(Object.fromEntries(tried));
});

function namesIn(path: string): string[] {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return [...text.matchAll(/(?:^ {4}name: |\brefusing\(\s*)'([^']+)'/gm)].map(
    ([, name = '']) => name,
  );
}
