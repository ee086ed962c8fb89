import { defineConfig } from 'vitest/config';

/** The tests of one folder, in one process that stays warm from mutant to mutant. */
export default defineConfig({
  test: {
    include: JSON.parse(process.env['MUTATION_TESTS'] ?? '[]') as string[],
    isolate: false,
    setupFiles: ['packages/code-checks/src/mutation/no-shrinking.ts'],
    testTimeout: 90_000,
  },
});
