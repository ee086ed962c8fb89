import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { ROOT, run } from './repository.ts';

/**
 * What npm would download of each package, in kB; the budget of what a browser loads is beside the
 * code, in `packages/client/test/bundle-size.test.ts`, `packages/paging/test/size.test.ts` and
 * `apps/explorer/test/size.test.ts`.
 */
const BUDGETS = [
  ['packages/paging', 12],
  ['packages/contract', 140],
  ['packages/engine', 700],
  ['packages/postgres', 550],
  ['packages/mysql', 160],
  ['packages/sqlite', 140],
  ['packages/duckdb', 90],
  ['packages/prove-state', 35],
  ['packages/fastify', 255],
  ['packages/client', 175],
  ['packages/mcp', 65],
  ['packages/cli', 150],
  ['packages/conformance', 150],
  ['packages/grids', 130],
  ['apps/explorer', 435],
  ['apps/server', 1200],
] as const;

it.each(BUDGETS)('the tarball of %s takes at most %i kB', (folder, budget) => {
  const target = mkdtempSync(join(tmpdir(), 'dynamic-query-pack-'));
  onTestFinished(() => rmSync(target, { recursive: true, force: true }));
  const file = join(target, 'package.tgz');
  run('pnpm', ['pack', '--out', file], join(ROOT, folder));
  const size = statSync(file).size / 1000;
  expect(size).toBeLessThanOrEqual(budget);
  // A budget far above the size holds nothing.
  expect(size).toBeGreaterThan(budget * 0.75);
});

it('every package that is published has a budget', () => {
  const listed = JSON.parse(run('pnpm', ['ls', '--recursive', '--depth=-1', '--json'])) as {
    readonly path: string;
  }[];
  const published = listed.filter(({ path }) => {
    const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as {
      readonly private?: boolean;
    };
    return manifest.private !== true;
  });
  expect(published).toHaveLength(BUDGETS.length);
});
