#!/usr/bin/env node
import { nodeTooOld } from '@proj/contract/node-version';

const tooOld = nodeTooOld(process.versions.node);
if (tooOld === undefined) {
  // Its imports need a recent Node.
  const { runProcess } = await import('./terminal/run-process.ts');
  const { run } = await import('./run.ts');
  await runProcess(run);
} else {
  process.stderr.write(`dq: ${tooOld}\n`);
  process.exitCode = 1;
}
