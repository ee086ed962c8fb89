import { describe, expect, it } from 'vitest';

import { importCycles, importGraph } from '../src/import-graph.ts';
import { linesOverWidth, MAX_COLUMNS } from '../src/line-width.ts';
import { isTest, repositoryFiles } from '../src/repository.ts';
import { checkLayers } from '../src/rules/check-layers.ts';
import { checkRestriction } from '../src/rules/check-restriction.ts';
import { LAYERS } from '../src/rules/layers.ts';
import { RESTRICTIONS } from '../src/rules/places.ts';

const files = repositoryFiles();
const sources = files.filter((file) => !isTest(file));
const imports = importGraph(sources);

describe('imports', () => {
  it.each(LAYERS)('of "$folder" go to the layers before alone', (layers) => {
    expect(checkLayers(imports, layers)).toEqual([]);
  });

  it('name layers that exist', () => {
    const absent = LAYERS.flatMap(({ folder, parts }) =>
      parts.flat().map((part) => (folder === '' ? part : `${folder}/${part}`)),
    ).filter((part) => !sources.some(({ path }) => path === part || path.startsWith(`${part}/`)));

    expect(absent).toEqual([]);
  });

  it('form no cycle, types included', () => {
    expect(importCycles(importGraph(files))).toEqual([]);
  });
});

describe('outside of its places', () => {
  it.each(RESTRICTIONS)('there is no sign of $what', (restriction) => {
    expect(checkRestriction(sources, restriction)).toEqual([]);
  });

  it.each(RESTRICTIONS)('the rule finds $what inside of them', (restriction) => {
    expect(checkRestriction(sources, { ...restriction, places: [] })).not.toEqual([]);
  });
});

it(`no line of a source file takes more than ${MAX_COLUMNS} columns`, () => {
  expect(sources.flatMap(linesOverWidth)).toEqual([]);
});
