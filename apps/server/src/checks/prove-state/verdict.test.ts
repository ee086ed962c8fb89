import { describe, expect, it } from 'vitest';

import { faultOf, PAIR, recordsAtFirst } from './invariant.ts';
import { proofLines, verdictOf } from './proof-lines.ts';
import type { Proof } from './prove-state.ts';
import { noReads, type ReadCounts } from './reads.ts';

const first = recordsAtFirst();
const total = first.length;

describe('a read of the scratch table', () => {
  it('is right before the first write, and after amounts and records have moved', () => {
    expect(faultOf(first, total)).toBeUndefined();
    const moved = first.map(({ id, amount }) =>
      id === 1
        ? { id: id + PAIR, amount: amount - 7 }
        : { id, amount: amount + (id === 2 ? 7 : 0) },
    );
    expect(faultOf(moved, total)).toBeUndefined();
  });

  it.each([
    ['contradiction', first.slice(1), total],
    ['impossible', first.slice(1), total - 1],
    ['impossible', [...first.slice(1), { id: 2 + PAIR, amount: 1000 }], total],
    [
      'impossible',
      first.map(({ id, amount }) => ({ id, amount: amount + (id === 5 ? 1 : 0) })),
      total,
    ],
  ] as const)('is a %s where one is', (fault, records, said) => {
    expect(faultOf(records, said)).toBe(fault);
  });
});

function proof(
  { commits = 5, replies = 9, wrong = 0, caught = 2 },
  problems: ReadonlyMap<string, number> = new Map(),
): Proof {
  const of = (seen: number, faults: number): ReadCounts => ({
    ...noReads(),
    replies: seen,
    faults: { contradiction: 0, impossible: faults },
    problems: new Map(problems),
  });
  return {
    writers: { commits, refused: 1 },
    reads: of(replies, wrong),
    broken: of(12_000, caught),
  };
}

it.each([
  ['proved', {}],
  ['wrong', { wrong: 1 }],
  ['wrong', { wrong: 1, caught: 0 }],
  ['unproved', { commits: 0 }],
  ['unproved', { replies: 0 }],
  ['unproved', { caught: 0 }],
] as const)('a proof is %s where it found %j', (verdict, found) => {
  expect(verdictOf(proof(found))).toBe(verdict);
});

it('a proof says how many replies, faults and problems there were', () => {
  const problems = new Map([['no_common_state', 1200]]);
  expect(proofLines(proof({ wrong: 3 }, problems), { table: 'scratch', seconds: 60 })).toEqual([
    'scratch, 60 s: 64 records, 5 commits (1 refused).',
    'service: 9 replies: 0 contradictions, 3 impossible states; not answered: 1,200 no_common_state.',
    'broken reads: 12,000, 2 of them caught.',
  ]);
});
