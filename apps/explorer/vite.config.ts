import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  // Everything stays in files of its own: the page's policy lets nothing run or draw that stands inside another.
  build: { outDir: 'dist', target: 'es2024', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
});
