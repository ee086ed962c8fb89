import { readFileSync } from 'node:fs';

import type { Survivor } from './mutants.ts';

/** Why mutants of one line may survive. */
export interface AcceptedSurvivor {
  readonly path: string;
  /** The whole line that is mutated, without the spaces around it. */
  readonly code: string;
  /** What each of the mutants puts in the place of a part of the line. */
  readonly replacements: readonly string[];
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
    ({ path, code, replacements }) =>
      path === survivor.path &&
      code === survivor.code &&
      replacements.includes(survivor.replacement),
  )?.reason;
}

export function readAccepted(): AcceptedSurvivor[] {
  const path = new URL('../../accepted-survivors.json', import.meta.url);
  return JSON.parse(readFileSync(path, 'utf8')) as AcceptedSurvivor[];
}
