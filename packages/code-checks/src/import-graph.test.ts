import { expect, it } from 'vitest';

import { importCycles, importGraph, type ImportGraph } from './import-graph.ts';
import { parseFile } from './source-file.ts';

type Texts = Readonly<Record<string, string>>;

/** The graph of files, given by their paths with their texts. */
function graphOf(files: Texts): ImportGraph {
  return importGraph(Object.entries(files).map(([path, text]) => parseFile(path, text)));
}

const cyclesAmong = (files: Texts): string[][] => importCycles(graphOf(files));

it.each([
  "import { b } from './b.ts';",
  "import type { B } from './b.ts';",
  "import './b.ts';",
  "export { b } from './b.ts';",
  "export * from './b.ts';",
  "const b = await import('./b.ts');",
  "let b: import('./b.ts').B;",
])('finds a cycle through `%s`', (text) => {
  expect(cyclesAmong({ 'src/a.ts': text, 'src/b.ts': "import './a.ts';" })).toEqual([
    ['src/a.ts', 'src/b.ts'],
  ]);
});

it('finds a cycle across folders, and a file that imports itself', () => {
  expect(
    cyclesAmong({
      'src/one/a.ts': "import '../two/b.ts';",
      'src/two/b.ts': "import '../three.ts';",
      'src/three.ts': "import './one/a.ts';",
      'src/own.ts': "import './own.ts';",
    }),
  ).toEqual([['src/one/a.ts', 'src/three.ts', 'src/two/b.ts'], ['src/own.ts']]);
});

it('counts rings that share a file as one cycle', () => {
  expect(
    cyclesAmong({
      'a.ts': "import './b.ts'; import './c.ts';",
      'b.ts': "import './a.ts';",
      'c.ts': "import './a.ts';",
    }),
  ).toEqual([['a.ts', 'b.ts', 'c.ts']]);
});

it('follows an import of a package of the workspace to its first file', () => {
  const files = {
    'packages/engine/src/index.ts': "import '@proj/contract'; import 'fastify';",
    'packages/contract/src/index.ts': '',
    'apps/server/src/main.ts': "import { openEngine } from '@proj/engine';",
  };

  expect([...graphOf(files)]).toEqual([
    ['packages/engine/src/index.ts', ['packages/contract/src/index.ts']],
    ['packages/contract/src/index.ts', []],
    ['apps/server/src/main.ts', ['packages/engine/src/index.ts']],
  ]);
});

it('finds none where files are imported twice, or import what imports a cycle', () => {
  expect(
    cyclesAmong({
      'a.ts': "import './b.ts'; import './c.ts';",
      'b.ts': "import './c.ts'; import 'package';",
      'c.ts': "export { d } from './absent.ts';",
    }),
  ).toEqual([]);
});
