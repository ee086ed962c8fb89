import type { Survivor } from './mutants.ts';

/** Why mutants may survive: one reason for all that it fits. */
export interface AcceptedSurvivor {
  readonly path: string;
  /** A part of the line that is mutated; without it, the reason holds for the file. */
  readonly code?: string;
  /** Stryker's name of the mutator; without it, the reason holds for each. */
  readonly mutator?: string;
  /** What the mutant puts in the place of the code; without it, the reason holds for anything. */
  readonly replacement?: string;
  readonly reason: string;
}

/** A survivor with the line of code that it changes. */
export interface SurvivorInCode extends Survivor {
  readonly code: string;
}

/** The reason why a mutant may survive; undefined where none is written down. */
export function reasonFor(
  survivor: SurvivorInCode,
  accepted: readonly AcceptedSurvivor[],
): string | undefined {
  return accepted.find(
    ({ path, code = '', mutator = survivor.mutator, replacement = survivor.replacement }) =>
      path === survivor.path &&
      survivor.code.includes(code) &&
      mutator === survivor.mutator &&
      replacement === survivor.replacement,
  )?.reason;
}
