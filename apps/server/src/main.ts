#!/usr/bin/env node
import { nodeTooOld } from '@proj/contract/node-version';

import { tolerateClosedOutput } from './process/broken-output.ts';
import { hideSqliteWarning } from './process/sqlite-warning.ts';
import { limitYoungHeap } from './process/young-heap.ts';

const tooOld = nodeTooOld(process.versions.node);
if (tooOld === undefined) {
  void start();
} else {
  process.stderr.write(`dynamic-query: ${tooOld}\n`);
  process.exitCode = 1;
}

/** Not awaited above: a single executable application is CommonJS, without top-level await. */
async function start(): Promise<void> {
  limitYoungHeap(process.argv.slice(2));
  hideSqliteWarning();
  tolerateClosedOutput();
  // Its imports need a recent Node.
  const { run } = await import('./run.ts');
  process.exitCode = await run({ args: process.argv.slice(2), env: process.env });
}
