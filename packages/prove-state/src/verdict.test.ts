import { describe, expect, it } from 'vitest';

import { faultOf, PAIR, recordsAtFirst, type ScratchRecord, type Seen } from './invariant.ts';
import { proofLines, verdictOf } from './proof-lines.ts';
import type { Proof } from './prove-state.ts';
import { READ_KINDS, type ReadKind } from './read-kinds.ts';
import { noReads, type Reads } from './reads.ts';

const first = recordsAtFirst();
const total = first.length;

function seen(records: readonly ScratchRecord[], said: number): Seen {
  const ids = records.map(({ id }) => id);
  return { ids, amounts: records.map(({ amount }) => amount), total: said };
}

describe('a read of the scratch table', () => {
  it('is right before the first write, and after amounts and records have moved', () => {
    expect(faultOf(seen(first, total))).toBeUndefined();
    const moved = first.map(({ id, amount }) =>
      id === 1
        ? { id: id + PAIR, amount: amount - 7 }
        : { id, amount: amount + (id === 2 ? 7 : 0) },
    );
    expect(faultOf(seen(moved, total))).toBeUndefined();
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
    expect(faultOf(seen(records, said))).toBe(fault);
  });

  it('is a contradiction where facets count other ids than amounts, or a page lacks its record', () => {
    const whole = seen(first, total);
    expect(faultOf({ ...whole, amounts: whole.amounts.slice(1) })).toBe('contradiction');
    expect(faultOf({ ...whole, named: 1 })).toBeUndefined();
    expect(faultOf({ ...whole, named: 1 + PAIR })).toBe('contradiction');
  });
});

interface Found {
  readonly commits?: number;
  readonly replies?: number;
  readonly wrong?: number;
  readonly caught?: number;
}

/** @param kind whose reads found that, while those of others found nothing remarkable */
function proof(
  { commits = 5, replies = 9, wrong = 0, caught = 2 }: Found,
  kind: ReadKind = 'pages',
  problems: ReadonlyMap<string, number> = new Map(),
): Proof {
  const usual = { replies: 9, wrong: 0, caught: 2, problems: new Map<string, number>() };
  const of = (pick: (found: typeof usual) => readonly [seen: number, faults: number]): Reads => {
    const reads = noReads();
    for (const each of READ_KINDS) {
      const found = each === kind ? { replies, wrong, caught, problems } : usual;
      const [count, faults] = pick({ ...found, problems: new Map(found.problems) });
      Object.assign(reads[each], { replies: count, problems: new Map(found.problems) });
      reads[each].faults.impossible = faults;
    }
    return reads;
  };
  return {
    seconds: 60,
    writers: { commits, refused: 1 },
    reads: of((found) => [found.replies, found.wrong]),
    broken: of((found) => [12_000, found.caught]),
  };
}

describe.each(READ_KINDS)('a proof of %s among others', (kind) => {
  it.each([
    ['proved', {}],
    ['wrong', { wrong: 1 }],
    ['wrong', { wrong: 1, caught: 0 }],
    ['unproved', { commits: 0 }],
    ['unproved', { replies: 0 }],
    ['unproved', { caught: 0 }],
  ] as const)('is %s where it found %j', (verdict, found) => {
    expect(verdictOf(proof(found, kind))).toBe(verdict);
  });
});

it('a proof says how many replies, faults and problems there were of each kind of read', () => {
  const problems = new Map([['no_common_state', 1200]]);
  const lines = proofLines(proof({ wrong: 3 }, 'facets', problems), { table: 'scratch' });
  const right =
    '9 replies: 0 contradictions, 0 impossible states; not answered: 0. Broken: 12,000, 2 caught.';
  expect(lines).toEqual([
    'scratch, 60 s: 64 records, 5 commits (1 refused).',
    `pages: ${right}`,
    `exports: ${right}`,
    'facets: 9 replies: 0 contradictions, 3 impossible states; ' +
      'not answered: 1,200 no_common_state. Broken: 12,000, 2 caught.',
    `groups: ${right}`,
    `containing: ${right}`,
  ]);
});
