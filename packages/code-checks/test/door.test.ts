import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { importGraph } from '../src/import-graph.ts';
import { isTest, repositoryFiles, ROOT } from '../src/repository.ts';

/** How many names of the engine the packages of databases may import. */
const MOST = [
  ['database', 70],
  ['following', 30],
] as const;

it.each(MOST)('@proj/engine/%s has at most %i names', (entry, most) => {
  const text = readFileSync(join(ROOT, `packages/engine/src/${entry}.ts`), 'utf8');
  const exported = [...text.matchAll(/^export (?:type )?(?:\{([^}]*)\}|\* as (\w+)) from /gm)];
  const names = exported.flatMap(([, list = '', group = '']) => `${list},${group}`.match(/\w+/g));
  expect(names.length).toBeGreaterThan(0);
  expect(names.length).toBeLessThanOrEqual(most);
  expect(text.match(/^export /gm)).toHaveLength(exported.length);
});

/** Parts of PostgreSQL that are loaded where they are asked for, by one file each. */
it.each(['feed', 'cluster'])('the %s of PostgreSQL is imported by its entry alone', (part) => {
  const folder = `packages/postgres/src/${part}/`;
  const sources = repositoryFiles().filter((file) => !isTest(file));
  const imported = [...importGraph(sources)].flatMap(([file, imports]) =>
    file.startsWith(folder) ? [] : imports.filter((path) => path.startsWith(folder)),
  );
  expect([...new Set(imported)]).toEqual([`${folder}open-${part}.ts`]);
});
