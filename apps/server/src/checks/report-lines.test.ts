import type { CatalogueReport, Model } from '@proj/engine';
import { expect, it } from 'vitest';

import { leftOutLines, unversionedLines } from './report-lines.ts';

function report(model: string, problem: string): CatalogueReport {
  return {
    model,
    path: ['models', model],
    problem,
    remedy: `Declare models: { ${model}: { key: [id] } }`,
    listed: false,
  };
}

it('relations that are left out for the same reason share one line, with the remedy for the first', () => {
  const keyless = Array.from({ length: 812 }, (_, index) => report(`t${index}`, 'It has no key.'));
  expect(leftOutLines([...keyless, report('v', 'It cannot be read.')])).toEqual([
    'left out: t0, t1, t2, t3, t4 and 807 more (check --verbose lists all): It has no key. Declare models: { t0: { key: [id] } }',
    'left out: v: It cannot be read. Declare models: { v: { key: [id] } }',
  ]);
});

it('views that have no version for the same reason share one line, unless each is asked for', () => {
  const views = ['v0', 'v1'].map((name) => [name, { name, unversioned: 'it groups rows' }]);
  const catalogue = new Map([...views, ['t', { name: 't' }]] as [string, Model][]);
  expect(unversionedLines(catalogue, false)).toEqual([
    'without a version: v0, v1: it groups rows.',
  ]);
  expect(unversionedLines(catalogue, true)).toEqual([
    'without a version: v0: it groups rows.',
    'without a version: v1: it groups rows.',
  ]);
});

it('has names that are not one word in quotes', () => {
  const reports = ['monthly sales', 'orders'].map((name) => report(name, 'No key.'));
  expect(leftOutLines(reports)[0]).toContain('left out: "monthly sales", orders: No key.');
});
