import { defineConfig } from 'vitest/config';

/**
 * `pnpm screenshots` writes the pictures of the documentation, `pnpm gallery` every state of the
 * explorer in each width and colour to look at, by way of the tests' own service and browser.
 */
export default defineConfig({
  test: {
    include: ['test/explorer/screenshots.ts', 'test/explorer/gallery.ts'],
    globalSetup: ['test/shared-demo.ts'],
    testTimeout: 90_000,
    hookTimeout: 120_000,
  },
});
