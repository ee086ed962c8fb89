// `pnpm test:release`: all tests, with those that are too slow for every commit, and the newest
// PostgreSQL in place of the machine's.
import { spawnSync } from 'node:child_process';

import { runSuite } from './run-suite.js';

spawnSync('bash', ['scripts/ci-packages.sh', 'release'], { stdio: 'inherit' });
runSuite(['test', 'test:release'], { TEST_SUITE: 'release', TEST_POSTGRES: 'npm' });
