import { defineConfig } from 'vitest/config';

/** The one vitest set-up; each package's `vitest.config.ts` re-exports it. */
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    reporters: ['default', ['json', { outputFile: 'test-report.json' }]],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
