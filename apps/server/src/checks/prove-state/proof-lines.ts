import { groupDigits } from '@proj/contract';

import { INVARIANT } from './invariant.ts';
import type { Proof, ProofOptions } from './prove-state.ts';
import type { ReadCounts } from './reads.ts';

/** What a proof came to. */
export type Verdict = 'proved' | 'wrong' | 'unproved';

/**
 * What a proof came to: `wrong` where a reply contradicted itself or showed what never was,
 * `unproved` where nothing was written or answered, or the broken reads were not caught, so that
 * right replies prove nothing either.
 */
export function verdictOf({ writers, reads, broken }: Proof): Verdict {
  if (faultsOf(reads) > 0) return 'wrong';
  const isTold = writers.commits > 0 && reads.replies > 0 && faultsOf(broken) > 0;
  return isTold ? 'proved' : 'unproved';
}

/** What operators read of a verdict. */
export const VERDICTS: Readonly<Record<Verdict, string>> = {
  proved: 'Proved here: each reply was of one state, and reads without one were caught.',
  wrong: 'Wrong here: the service showed what never was. Do not serve such tables, and report it.',
  unproved:
    'Proves nothing here. Give it more --seconds, or other --commits: fewer where no common ' +
    'state was found, more where no broken read was caught.',
};

/** What an operator reads of a proof. */
export function proofLines(
  proof: Proof,
  { table, seconds }: Pick<ProofOptions, 'table' | 'seconds'>,
): string[] {
  const { writers, reads, broken } = proof;
  const { contradiction, impossible } = reads.faults;
  const problems = [...reads.problems].map(([code, count]) => `${groupDigits(count)} ${code}`);
  const unanswered = problems.length === 0 ? '0' : problems.join(', ');
  return [
    `${table}, ${seconds} s: ${INVARIANT.records} records, ` +
      `${groupDigits(writers.commits)} commits (${groupDigits(writers.refused)} refused).`,
    `service: ${groupDigits(reads.replies)} replies: ${contradiction} contradictions, ` +
      `${impossible} impossible states; not answered: ${unanswered}.`,
    `broken reads: ${groupDigits(broken.replies)}, ` +
      `${groupDigits(faultsOf(broken))} of them caught.`,
  ];
}

function faultsOf({ faults }: ReadCounts): number {
  return faults.contradiction + faults.impossible;
}
