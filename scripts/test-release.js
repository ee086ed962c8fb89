// `pnpm test:release [--record]`: all tests, with those that are too slow for every commit, and the
// newest PostgreSQL in place of the machine's. `--record` keeps the result in docs/release-suite.md.
import { spawnSync } from 'node:child_process';

import { recordRelease } from './release-record.js';
import { runSuite, turbo } from './run-suite.js';

const SCRIPTS = ['test', 'test:release'];

const args = process.argv.slice(2);
spawnSync('bash', ['scripts/ci-packages.sh', 'release'], { stdio: 'inherit' });
// What is installed and packed by the tests is that of all packages.
if (!turbo(['build', '--output-logs=errors-only'])) process.exit(1);

const began = Date.now();
// A result that turbo kept would be none of this run.
const env = { TEST_SUITE: 'release', TEST_POSTGRES: 'npm', TEST_RUN: String(began) };
runSuite(
  SCRIPTS,
  env,
  args.filter((arg) => arg !== '--record'),
);
if (args.includes('--record')) recordRelease(SCRIPTS, began);
