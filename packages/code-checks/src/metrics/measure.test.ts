import { expect, it } from 'vitest';

import { parseFile } from '../source-file.ts';
import { measure } from './measure.ts';
import { reportOf } from './report.ts';

const WIDE = `// ${'x'.repeat(98)}`;
const FOUR = 'export function four(a: any, b: any, c: any, d: any) {\n  return a as string;\n}\n';
const FILES = [
  parseFile('src/a.ts', `${WIDE}\nimport './b.ts';\n`),
  parseFile('src/b.ts', `import './a.ts';\n${FOUR}`),
];

it('adds up lines, functions and duplicates over the files', () => {
  expect(measure(FILES)).toEqual({
    files: 2,
    lines: 6,
    fileLines: { median: 2, p95: 4, max: 4 },
    functions: 1,
    functionLines: { median: 3, p95: 3, max: 3 },
    parameters: { median: 4, p95: 4, max: 4 },
    functionsOverThreeParameters: 1,
    nesting: { median: 0, p95: 0, max: 0 },
    casts: 1,
    linesOverWidth: 1,
    cycles: 1,
    duplicatedPairs: 0,
  });
});

it('prints the figures of revisions side by side', () => {
  const report = reportOf([
    { revision: 'before', sources: measure(FILES), tests: measure([]) },
    { revision: 'after', sources: measure(FILES.slice(1)), tests: measure([]) },
  ]);

  expect(report).toContain('|  | before | after |\n| --- | ---: | ---: |\n| files | 2 | 1 |\n');
  expect(report).toContain('| lines of a file: median / p95 / max | 2 / 4 / 4 | 4 / 4 / 4 |');
});
