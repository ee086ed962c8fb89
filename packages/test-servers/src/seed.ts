import { beforeRelease } from './before-release.ts';

/**
 * What the random cases of a test begin with: that of the commit under test, so that other cases
 * run with each commit and the same ones for everybody who has it. `TEST_SEED` repeats those of
 * another run. Print it with a failure.
 */
export const SEED = Number(process.env['TEST_SEED']);

/**
 * One of n cases, others with each commit, and for the next place; all of them before a release.
 */
export function eachNth<Case>(n: number, cases: readonly Case[], place = 0): readonly Case[] {
  return beforeRelease ? cases : cases.filter((_, index) => (index + place + SEED) % n === 0);
}
