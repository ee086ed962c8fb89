#!/usr/bin/env node
import { nodeTooOld } from './node-version.ts';
import { hideSqliteWarning } from './sqlite-warning.ts';

const tooOld = nodeTooOld(process.versions.node);
if (tooOld === undefined) {
  hideSqliteWarning();
  // What it imports needs a Node that is new enough.
  const { run } = await import('./run.ts');
  process.exitCode = await run({ args: process.argv.slice(2), env: process.env });
} else {
  process.stderr.write(`dynamic-query: ${tooOld}\n`);
  process.exitCode = 1;
}
