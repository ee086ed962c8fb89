import type { CatalogueReport } from '@proj/engine';
import { expect, it } from 'vitest';

import { leftOutLines } from './report-lines.ts';

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
