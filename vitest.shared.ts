import { defineConfig } from 'vitest/config';

/** The one vitest set-up; each package's `vitest.config.ts` re-exports it. */
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    reporters: ['default', ['json', { outputFile: 'test-report.json' }]],
    // Generous: a test that waits for a process must not fail because the machine is busy.
    testTimeout: 90_000,
    hookTimeout: 120_000,
  },
});
