import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

import { expect, it } from 'vitest';

const BUILT = new URL('../dist/', import.meta.url);

it('loads at first at most 112 kB, compressed', () => {
  const page = readFileSync(new URL('index.html', BUILT), 'utf8');
  // Vite names what the first script imports in the page too; the rest is loaded when it is used.
  const files = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, name]) =>
    String(name),
  );
  expect(files.length).toBeGreaterThanOrEqual(2);
  const bytes = ['index.html', ...files].reduce(
    (sum, name) => sum + gzipSync(readFileSync(new URL(name, BUILT))).length,
    0,
  );
  expect(bytes).toBeLessThanOrEqual(112_000);
});
