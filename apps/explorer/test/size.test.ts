import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { build } from 'vite';
import { expect, it } from 'vitest';

it('loads at first at most 110 kB, compressed', async () => {
  const outDir = mkdtempSync(join(tmpdir(), 'explorer-'));
  try {
    await build({
      root: fileURLToPath(new URL('..', import.meta.url)),
      logLevel: 'error',
      build: { outDir, emptyOutDir: true },
    });
    const page = readFileSync(join(outDir, 'index.html'), 'utf8');
    // Vite names what the first script imports in the page too; the rest is loaded when it is used.
    const files = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, name]) =>
      String(name),
    );
    expect(files.length).toBeGreaterThanOrEqual(2);
    const bytes = ['index.html', ...files].reduce(
      (sum, name) => sum + gzipSync(readFileSync(join(outDir, name))).length,
      0,
    );
    expect(bytes).toBeLessThanOrEqual(110_000);
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
});
