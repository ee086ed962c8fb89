import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { ROOT } from '../src/repository.ts';

const DOCUMENT = 'docs/release-suite.md';

/** A file whose tests are not the same in both suites; those of apps/release are in one alone. */
function tellsSuitesApart(path: string): boolean {
  if (path.startsWith('apps/release/')) return false;
  return (
    path.endsWith('.release.test.ts') ||
    /import \{[^}]*\bbeforeRelease\b/.test(readFileSync(join(ROOT, path), 'utf8'))
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
