import { expect, it } from 'vitest';

import { checkLayers } from './check-layers.ts';
import type { Layers } from './layers.ts';

const LAYERS: Layers = {
  folder: 'src',
  parts: [['below'], ['left', 'right'], ['top.ts']],
};

/** What the layers say of one import. */
const violations = (file: string, imported: string): string[] =>
  checkLayers(new Map([[file, [imported]]]), LAYERS);

it.each([
  ['src/left/a.ts', 'src/below/b.ts'],
  ['src/top.ts', 'src/below/inner/b.ts'],
  ['src/top.ts', 'src/right/b.ts'],
  ['src/left/a.ts', 'src/left/inner/b.ts'],
  ['src/left/a.ts', 'src/unlisted.ts'],
  ['src/unlisted.ts', 'src/other.ts'],
  ['src/unlisted.ts', 'elsewhere/below/b.ts'],
  ['elsewhere/a.ts', 'src/top.ts'],
  ['srcs/below/a.ts', 'src/top.ts'],
])('lets %s import %s', (file, imported) => {
  expect(violations(file, imported)).toEqual([]);
});

it.each([
  ['src/below/a.ts', 'src/left/b.ts'],
  ['src/below/a.ts', 'src/top.ts'],
  ['src/left/a.ts', 'src/right/b.ts'],
  ['src/unlisted.ts', 'src/below/b.ts'],
  ['src/belows/a.ts', 'src/below/b.ts'],
])('forbids that %s imports %s', (file, imported) => {
  expect(violations(file, imported)).toEqual([`${file} imports ${imported}`]);
});

it('takes the folders of the repository for parts', () => {
  const packages: Layers = { folder: '', parts: [['packages/a'], ['packages/b']] };
  const graph = new Map([
    ['packages/a/src/x.ts', ['packages/b/src/y.ts']],
    ['packages/b/src/y.ts', ['packages/a/src/x.ts']],
  ]);

  expect(checkLayers(graph, packages)).toEqual(['packages/a/src/x.ts imports packages/b/src/y.ts']);
});
