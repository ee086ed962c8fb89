/**
 * Whether this is a run of `pnpm test:release`, which takes more rounds, more rows and more kinds of
 * databases than the tests of every commit do.
 */
export const beforeRelease = process.env['TEST_SUITE'] === 'release';
