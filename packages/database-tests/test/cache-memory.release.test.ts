import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

import { databaseFile } from '../../sqlite/test/database-file.ts';

const PROGRAM = fileURLToPath(new URL('programs/distinct-filters.ts', import.meta.url));

const MIB = 2 ** 20;

/** What a process takes that has answered one query. */
const BASE_BYTES = 32 * MIB;

/** Filters of 25 kB each: their texts alone would fill the heap. */
const FILTERS = 600;

it('any number of distinct filters of the largest size takes no more memory than the settings allow', async () => {
  const memoryBytes = 4 * MIB;
  const heapMib = (BASE_BYTES + 4 * memoryBytes) / MIB;
  // A collector that works beside the program would leave the heap full where it gets no processor.
  const atOnce = ['--single-threaded-gc', '--no-incremental-marking'];
  const flags = ['--expose-gc', ...atOnce, `--max-old-space-size=${heapMib}`];
  const path = databaseFile('create table t (id integer primary key, name text)');
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...flags,
    PROGRAM,
    path,
    String(FILTERS),
    String(memoryBytes),
  ]);
  const { heap } = JSON.parse(stdout) as { heap: number };
  expect(heap).toBeLessThan(BASE_BYTES + 2 * memoryBytes);
});
