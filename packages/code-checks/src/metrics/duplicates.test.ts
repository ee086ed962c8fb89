import { expect, it } from 'vitest';

import { duplicatedPairs } from './duplicates.ts';

const SIX = ['one();', 'two();', 'three();', 'four();', 'five();', 'six();'];

const file = (path: string, ...lines: string[]): { path: string; text: string } => ({
  path,
  text: lines.join('\n'),
});

it('pairs two places with six equal lines, however they are indented', () => {
  const indented = SIX.map((line) => `  ${line}`);

  expect(duplicatedPairs([file('a.ts', ...SIX), file('b.ts', 'other();', ...indented)])).toEqual([
    { first: { path: 'a.ts', line: 1 }, second: { path: 'b.ts', line: 2 }, lines: 6 },
  ]);
});

it('counts no run of five equal lines as a duplicate', () => {
  const five = SIX.slice(1);

  expect(duplicatedPairs([file('a.ts', ...five, 'a();'), file('b.ts', ...five)])).toEqual([]);
});

it('counts a run of more than six equal lines once', () => {
  const eight = [...SIX, 'seven();', 'eight();'];

  expect(duplicatedPairs([file('a.ts', ...eight), file('b.ts', ...eight, 'b();')])).toMatchObject([
    { lines: 8 },
  ]);
});

/** The same lines twice, with one between them. */
const both = (divider: string): string[] => [...SIX, divider, ...SIX.toReversed()];

it('counts two runs of one pair of files that a line divides', () => {
  expect(
    duplicatedPairs([file('a.ts', ...both('a();')), file('b.ts', ...both('b();'))]),
  ).toHaveLength(2);
});

it('pairs each two of three places, two of them in one file', () => {
  expect(
    duplicatedPairs([file('a.ts', ...SIX, 'a();', ...SIX), file('b.ts', ...SIX)]),
  ).toHaveLength(3);
});

it('counts neither blank lines, comments, imports nor lone punctuation', () => {
  const nothing = [
    '',
    '// a comment',
    '/** a comment */',
    '* a comment',
    "import { a } from 'a';",
    "} from './b.ts';",
    '});',
    '},',
  ];

  expect(duplicatedPairs([file('a.ts', ...nothing), file('b.ts', ...nothing)])).toEqual([]);
});
