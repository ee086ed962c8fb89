import { relative } from 'node:path';

import type { MutantResult, MutantStatus } from '@stryker-mutator/api/core';

/** How the mutants of a folder ended. */
export interface MutationScore {
  readonly mutants: number;
  /** A mutant that never ends counts as killed: its tests do not pass. */
  readonly killed: number;
  readonly survived: number;
  readonly notCovered: number;
  /** The killed among all, from 0 to 1; 1 where there is none. */
  readonly share: number;
}

/** A mutant that no test noticed. */
export interface Survivor {
  readonly path: string;
  readonly line: number;
  readonly mutator: string;
  /** What stands in the place of the code. */
  readonly replacement: string;
  readonly covered: boolean;
}

/** Mutants that do not load at all say nothing of the tests and are left out. */
export function scoreOf(results: readonly Pick<MutantResult, 'status'>[]): MutationScore {
  const count = (...statuses: MutantStatus[]): number =>
    results.filter(({ status }) => statuses.includes(status)).length;
  const killed = count('Killed', 'Timeout');
  const survived = count('Survived');
  const notCovered = count('NoCoverage');
  const mutants = killed + survived + notCovered;
  return { mutants, killed, survived, notCovered, share: mutants === 0 ? 1 : killed / mutants };
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
