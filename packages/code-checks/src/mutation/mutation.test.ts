import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { ROOT } from '../repository.ts';
import { readAccepted, reasonFor } from './accepted-survivors.ts';
import { scoreOf, type Survivor, survivorsOf } from './mutants.ts';
import { mutationReport } from './report.ts';

const SURVIVOR: Survivor = {
  path: 'src/a.ts',
  line: 3,
  mutator: 'BooleanLiteral',
  replacement: 'false',
  covered: true,
};
const IN_CODE = { ...SURVIVOR, code: 'const isOpen = true;' };

const mutant = (line: number, status: 'Killed' | 'Survived' | 'NoCoverage') => ({
  id: String(line),
  fileName: join('/repository', 'src', 'a.ts'),
  location: { start: { line, column: 1 }, end: { line, column: 2 } },
  mutatorName: 'BlockStatement',
  replacement: '{\n}',
  status,
});

function linesOf(path: string): string[] {
  return readFileSync(join(ROOT, path), 'utf8')
    .split('\n')
    .map((line) => line.trim());
}

it('counts a mutant that never ends for the score, and one that does not load not at all', () => {
  const statuses = ['Killed', 'Timeout', 'Survived', 'NoCoverage', 'RuntimeError'] as const;

  expect(scoreOf(statuses.map((status) => ({ status })))).toEqual({
    mutants: 4,
    killed: 1,
    timedOut: 1,
    survived: 1,
    notCovered: 1,
    share: 0.5,
  });
});

it('gives a folder without mutants the full score', () => {
  expect(scoreOf([])).toMatchObject({ mutants: 0, share: 1 });
});

it('lists what survived by file and line, with its replacement on one line', () => {
  const mutants = [mutant(9, 'NoCoverage'), mutant(3, 'Survived'), mutant(1, 'Killed')];
  expect(survivorsOf(mutants, '/repository')).toEqual([
    { path: 'src/a.ts', line: 3, mutator: 'BlockStatement', replacement: '{ }', covered: true },
    { path: 'src/a.ts', line: 9, mutator: 'BlockStatement', replacement: '{ }', covered: false },
  ]);
});

it.each([
  [{}, 'why'],
  [{ replacements: ['true', 'false'] }, 'why'],
  [{ path: 'src/b.ts' }, undefined],
  [{ code: 'isOpen = true' }, undefined],
  [{ replacements: ['true'] }, undefined],
])('matches a survivor with a reason for the line, with %j', (changes, reason) => {
  const accepted = { path: 'src/a.ts', code: IN_CODE.code, replacements: ['false'], reason: 'why' };
  expect(reasonFor(IN_CODE, [{ ...accepted, ...changes }])).toBe(reason);
});

it('accepts mutants of lines that are in the code, each line of a file and replacement once', () => {
  const accepted = readAccepted();
  const gone = accepted.filter(({ path, code }) => !linesOf(path).includes(code));
  expect(gone).toEqual([]);
  const each = accepted.flatMap(({ path, code, replacements }) =>
    replacements.map((replacement) => `${path}: ${code} -> ${replacement}`),
  );
  expect(each.filter((one, index) => each.indexOf(one) !== index)).toEqual([]);
});

it('reports the score of each folder and the survivors that have no reason', () => {
  const survivors = [
    { ...IN_CODE, reason: 'why' },
    { ...IN_CODE, line: 7, covered: false, reason: undefined },
  ];
  const score = { mutants: 8, killed: 5, timedOut: 1, survived: 1, notCovered: 1, share: 0.75 };

  expect(mutationReport([{ name: 'limits', score, survivors }])).toBe(
    `| folder | mutants | killed | timed out | survived | not covered | score |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
| limits | 8 | 5 | 1 | 1 | 1 | 75.0 % |

src/a.ts:7 BooleanLiteral (not covered)
  - const isOpen = true;
  + false`,
  );
});
