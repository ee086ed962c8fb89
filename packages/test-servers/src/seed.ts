/**
 * What the random cases of a test begin with: that of the commit under test, so that other cases
 * run with each commit and the same ones for everybody who has it. `TEST_SEED` repeats those of
 * another run. Print it with a failure.
 */
export const SEED = Number(process.env['TEST_SEED']);
