// `pnpm test:release [--record]`: all tests, with those that are too slow for every commit, on the
// newest PostgreSQL in place of the machine's. `--record` keeps the result in docs/internals/testing.md;
// other arguments are those of `vitest run`.
import { spawnSync } from 'node:child_process';

const args = process.argv.slice(2).filter((arg) => arg !== '--record');
const env = {
  ...process.env,
  TEST_SUITE: 'release',
  TEST_POSTGRES: 'npm',
  ...(process.argv.includes('--record') && { TEST_RECORD: 'docs/internals/testing.md' }),
};
const options = { env, stdio: 'inherit', shell: process.platform === 'win32' };
spawnSync('bash', ['scripts/ci-packages.sh', 'release'], options);
process.exitCode = spawnSync('vitest', ['run', ...args], options).status ?? 1;
