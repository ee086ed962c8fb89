import { defineConfig } from 'vitest/config';

/**
 * `pnpm screenshots` writes the pictures of the documentation, by way of the tests' own service and
 * browser.
 */
export default defineConfig({
  test: {
    include: ['test/explorer/screenshots.ts'],
    globalSetup: ['test/shared-programs.ts'],
    testTimeout: 90_000,
    hookTimeout: 120_000,
  },
});
