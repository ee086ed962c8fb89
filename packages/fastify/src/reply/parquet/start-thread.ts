// Node 22 lacks a name of it that only a single executable application uses.
import sea from 'node:sea';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

import type { EncoderColumns } from './thread-protocol.ts';

/** Values live for one row group; more room costs a thread some 50 MB. */
const LIMITS = { maxYoungGenerationSizeMb: 16 };

// `.ts` when the sources run as they are, `.js` when built.
const FILE = new URL(`./parquet-thread${extname(import.meta.url)}`, import.meta.url);

/** The thread's program in a single executable application, which has no files. */
const BUILT_IN = '@proj/server/dist/program/parquet-thread.cjs';

export function startThread(columns: EncoderColumns): Worker {
  const options = { workerData: columns, resourceLimits: LIMITS };
  if (!sea.isSea()) return new Worker(FILE, options);
  return new Worker(sea.getAsset(BUILT_IN, 'utf8'), { ...options, eval: true });
}
