import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
/**
 * In bytes, minified and gzipped: 8.7 kB of ky, 8 kB of zod and the contract, the rest is the
 * client with the names and forms of its options, 0.2 kB that keep pages from going backwards, 0.9 kB for
 * lists that are not counted, 0.8 kB for the method QUERY and replies that are kept, 1.6 kB for
 * exports, 1.4 kB for facets, 0.2 kB that list the errors of a request in a message,
 * 0.1 kB that compare the catalogue, 0.1 kB for paths and conditions on related records,
 * 0.7 kB for groups, 2.1 kB for counts of related records, 0.2 kB for filters of walks by key,
 * 0.2 kB for iterations that are left, 0.2 kB for approximate replies and positions that the caller
 * includes, and for watched lists 1.7 kB of eventsource-parser and
 * 2.3 kB of ours.
 */
const CEILING = 37_900;

it('is as small in a browser as the README says, and needs nothing of Node', async () => {
  const bundle = await rolldown({ input: join(ROOT, 'src/index.ts'), platform: 'browser' });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  expect(output).toHaveLength(1);
  expect(output[0].imports).toEqual([]);
  const size = gzipSync(output[0].code).length;
  expect(size).toBeLessThanOrEqual(CEILING);
  // A ceiling far above the size holds nothing.
  expect(size).toBeGreaterThan(CEILING * 0.9);
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  expect(readme.includes(`at most ${CEILING / 1000} kB`)).toBe(true);
});
