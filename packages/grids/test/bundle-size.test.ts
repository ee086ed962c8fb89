import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/**
 * In bytes, minified and gzipped, beside `@proj/client`, which a page has anyway: 0.4 kB of each
 * are for lists that change, 0.1 kB for days of a time zone and counts of related records, 0.1 kB for
 * columns of numbers and texts.
 */
const CEILINGS = [
  ['ag-grid', 8400],
  ['mui-x', 6400],
  ['react-admin', 6100],
  ['refine', 6100],
  ['tanstack-table', 7600],
] as const;

it.each(CEILINGS)(
  '%s adds at most %i bytes to a web page, and needs nothing of Node',
  async (entry, ceiling) => {
    const input = join(ROOT, `src/${entry}/index.ts`);
    const bundle = await rolldown({ input, platform: 'browser', external: /^@proj\// });
    const { output } = await bundle.generate({ format: 'esm', minify: true });
    expect(output).toHaveLength(1);
    expect(output[0].imports.every((name) => name.startsWith('@proj/'))).toBe(true);
    const size = gzipSync(output[0].code).length;
    expect(size).toBeLessThanOrEqual(ceiling);
    // A ceiling far above the size holds nothing.
    expect(size).toBeGreaterThan(ceiling * 0.9);
    expect(readFileSync(join(ROOT, 'README.md'), 'utf8')).toContain('at most 8.4 kB');
  },
);
