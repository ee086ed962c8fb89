import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { build } from 'vite';
import { expect, it } from 'vitest';

it('loads at first at most 150 kB, compressed', async () => {
  const outDir = mkdtempSync(join(tmpdir(), 'explorer-'));
  try {
    await build({
      root: fileURLToPath(new URL('..', import.meta.url)),
      logLevel: 'error',
      build: { outDir, emptyOutDir: true },
    });
    const files = readdirSync(outDir, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(html|js|css)$/.test(name),
    );
    expect(files.length).toBeGreaterThanOrEqual(3);
    const bytes = files.reduce(
      (sum, name) => sum + gzipSync(readFileSync(join(outDir, name))).length,
      0,
    );
    expect(bytes).toBeLessThanOrEqual(150_000);
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
});
