import { relative } from 'node:path';

import type { MutantResult, MutantStatus } from '@stryker-mutator/api/core';

/** How the mutants of a folder ended. */
export interface MutationScore {
  readonly mutants: number;
  readonly killed: number;
  /** Mutants that never end. They count for the share as the killed do: their tests do not pass. */
  readonly timedOut: number;
  readonly survived: number;
  readonly notCovered: number;
  /** Those that were found among all, from 0 to 1; 1 where there is none. */
  readonly share: number;
}

/** A mutant that no test noticed. */
export interface Survivor {
  readonly path: string;
  readonly line: number;
  readonly mutator: string;
  /** What replaces the code. */
  readonly replacement: string;
  readonly covered: boolean;
}

/** Mutants that do not load at all say nothing of the tests and are left out. */
export function scoreOf(results: readonly Pick<MutantResult, 'status'>[]): MutationScore {
  const count = (wanted: MutantStatus): number =>
    results.filter(({ status }) => status === wanted).length;
  const killed = count('Killed');
  const timedOut = count('Timeout');
  const survived = count('Survived');
  const notCovered = count('NoCoverage');
  const found = killed + timedOut;
  const mutants = found + survived + notCovered;
  const share = mutants === 0 ? 1 : found / mutants;
  return { mutants, killed, timedOut, survived, notCovered, share };
}

export function survivorsOf(results: readonly MutantResult[], root: string): Survivor[] {
  return results
    .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    .map(({ fileName, location, mutatorName, replacement, status }) => ({
      path: relative(root, fileName).replaceAll('\\', '/'),
      line: location.start.line,
      mutator: mutatorName,
      replacement: replacement.replaceAll(/\s+/g, ' '),
      covered: status === 'Survived',
    }))
    .toSorted((a, b) => a.path.localeCompare(b.path, 'en') || a.line - b.line);
}
