import { groupDigits } from '@proj/contract';

import { INVARIANT } from './invariant.ts';
import type { Proof, ProofOptions } from './prove-state.ts';
import { READ_KINDS, type ReadKind } from './read-kinds.ts';
import type { ReadCounts } from './reads.ts';

export type Verdict = 'proved' | 'wrong' | 'unproved';

/** `unproved`: nothing written, or reads of a kind unanswered, or not caught when broken. */
export function verdictOf({ writers, reads, broken }: Proof): Verdict {
  if (READ_KINDS.some((kind) => faultsOf(reads[kind]) > 0)) return 'wrong';
  const isTold = (kind: ReadKind): boolean => reads[kind].replies > 0 && faultsOf(broken[kind]) > 0;
  return writers.commits > 0 && READ_KINDS.every(isTold) ? 'proved' : 'unproved';
}

export const VERDICTS: Readonly<Record<Verdict, string>> = {
  proved: 'Proved here: each reply was of one state, and reads without one were caught.',
  wrong: 'Wrong here: the service showed what never was. Do not serve such tables, and report it.',
  unproved:
    'Proves nothing here. Give it more --seconds, or other --commits: fewer where no common ' +
    'state was found, more where no broken read was caught.',
};

export function proofLines(proof: Proof, { table }: Pick<ProofOptions, 'table'>): string[] {
  const { seconds, writers, reads, broken } = proof;
  return [
    `${table}, ${seconds} s: ${INVARIANT.records} records, ` +
      `${groupDigits(writers.commits)} commits (${groupDigits(writers.refused)} refused).`,
    ...READ_KINDS.map((kind) => `${kind}: ${readLine(reads[kind])} ${brokenLine(broken[kind])}`),
  ];
}

function readLine({ replies, faults, problems }: ReadCounts): string {
  const codes = [...problems].map(([code, count]) => `${groupDigits(count)} ${code}`);
  const unanswered = codes.length === 0 ? '0' : codes.join(', ');
  return (
    `${groupDigits(replies)} replies: ${groupDigits(faults.contradiction)} contradictions, ` +
    `${groupDigits(faults.impossible)} impossible states; not answered: ${unanswered}.`
  );
}

function brokenLine(counts: ReadCounts): string {
  return `Broken: ${groupDigits(counts.replies)}, ${groupDigits(faultsOf(counts))} caught.`;
}

function faultsOf({ faults }: ReadCounts): number {
  return faults.contradiction + faults.impossible;
}
