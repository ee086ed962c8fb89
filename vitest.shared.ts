import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

import { defineConfig, mergeConfig, type ViteUserConfig } from 'vitest/config';

import { beginningWith } from './vitest.first-files.ts';

type TestOptions = NonNullable<ViteUserConfig['test']>;

const runDirectory = fileURLToPath(new URL('vitest.run-directory.ts', import.meta.url));

/**
 * Tests beside the code: they start no server and no process of ours, and change nothing that
 * another file sees, so that the files share their workers.
 */
const unit: TestOptions = {
  name: 'unit',
  include: ['src/**/*.test.ts'],
  isolate: false,
  maxWorkers: availableParallelism(),
};

/** What is slow or needs heavy programs runs before a release only. */
const onlyBeforeRelease =
  process.env['TEST_SUITE'] === 'release' ? [] : ['test/**/*.release.test.ts'];

/** Tests against real servers, processes and browsers, and across packages. */
const integration: TestOptions = {
  name: 'integration',
  include: ['test/**/*.test.ts'],
  exclude: ['**/node_modules/**', ...onlyBeforeRelease],
  // Most of them wait for a process.
  maxWorkers: availableParallelism() + 1,
  sequence: { groupOrder: 1 },
};

/** What holds for the tests of every package. */
export const shared = defineConfig({
  test: {
    globalSetup: [runDirectory],
    reporters: ['default', ['json', { outputFile: 'test-report.json' }]],
    // Generous: a test that waits for a process must not fail because the machine is busy.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
  },
});

/**
 * The vitest configuration of a package, with what is its own for its integration tests.
 *
 * @param first its longest test files, which run first
 */
export function packageTests(
  ownIntegration: TestOptions = {},
  first: readonly string[] = [],
): ViteUserConfig {
  const projects = [
    { extends: true as const, test: unit },
    { extends: true as const, test: { ...integration, ...ownIntegration } },
  ];
  const sequence = { sequencer: beginningWith(first) };
  return mergeConfig(shared, { test: { projects, sequence } });
}

export default packageTests();
