#!/usr/bin/env node
import { nodeTooOld } from '@proj/contract/node-version';

const tooOld = nodeTooOld(process.versions.node);
if (tooOld === undefined) {
  // What they import needs a Node that is new enough.
  const { runProcess } = await import('@proj/cli/command-line');
  const { run } = await import('./program.ts');
  await runProcess(run);
} else {
  process.stderr.write(`conformance: ${tooOld}\n`);
  process.exitCode = 1;
}
