import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';

/** In bytes, minified and gzipped; measured 788. */
const CEILING = 815;

it('adds less than 1 kB to a page: the arithmetic, and no schema library', async () => {
  const bundle = await rolldown({
    input: join(import.meta.dirname, '../src/index.ts'),
    platform: 'browser',
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  expect(output[0].imports).toEqual([]);
  expect(gzipSync(output[0].code).length).toBeLessThanOrEqual(CEILING);
});
