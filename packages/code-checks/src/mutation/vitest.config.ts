import { defineConfig } from 'vitest/config';

/** The tests of one folder, in one process that stays warm from mutant to mutant. */
export default defineConfig({
  test: {
    include: process.env['MUTATION_TESTS']?.split(',') ?? [],
    isolate: false,
    testTimeout: 90_000,
  },
});
