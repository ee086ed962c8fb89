import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

import { beforeRelease } from './packages/test-servers/src/before-release.ts';
import { seed, waitingFiles } from './vitest.turns.ts';

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Pages in Chromium; the rest of `apps/e2e` runs programs. */
const BROWSER = [
  'apps/e2e/test/{explorer,grids,sign-in}/**/*.test.ts',
  'apps/e2e/test/**/{chromium,explorer,picture,reference-page}.test.ts',
];

const SYSTEM = [
  'apps/{bench,demo,e2e,explorer}/test/**/*.test.ts',
  'packages/code-checks/test/**/*.test.ts',
];

/** Most of them wait for a process. */
const WAITING = { maxWorkers: availableParallelism() + 1 };

/** A worker has one copy of its servers, whoever asks for them. */
const SERVERS = {
  find: /^@proj\/test-servers$/,
  replacement: path('packages/test-servers/src/index.ts'),
};

/** Tests of a database reach into the code of the engine, of which there must be one copy. */
const ENGINE = [
  { find: /^@proj\/engine$/, replacement: path('packages/engine/src/index.ts') },
  { find: /^@proj\/engine\/(database|following)$/, replacement: path('packages/engine/src/$1.ts') },
  {
    find: /^@proj\/(duckdb|fastify|mysql|postgres|prove-state|sqlite)$/,
    replacement: path('packages/$1/src/index.ts'),
  },
  { find: /^@proj\/fastify\/(host|settings)$/, replacement: path('packages/fastify/src/$1.ts') },
];

/** The readers of examples import the packages by their names. */
const EXAMPLES = [
  { find: /^@proj\/client$/, replacement: path('packages/client/src/index.ts') },
  { find: /^@proj\/grids\/(.*)$/, replacement: path('packages/grids/src/$1/index.ts') },
  { find: /^@proj\/grids$/, replacement: path('packages/grids/src/index.ts') },
];

const projects: TestProjectInlineConfiguration[] = [
  {
    extends: true,
    test: {
      name: 'unit',
      include: ['{packages,apps}/*/src/**/*.test.ts'],
      maxWorkers: availableParallelism(),
      sequence: { groupOrder: 0 },
    },
  },
  {
    extends: true,
    resolve: { alias: EXAMPLES },
    test: {
      ...WAITING,
      name: 'service',
      include: [
        'packages/{cli,client,conformance,contract,database-tests,grids,mcp,paging}/test/**/*.test.ts',
        'packages/{duckdb,fastify,postgres,prove-state,sqlite}/test/**/*.test.ts',
        'apps/server/test/**/*.test.ts',
      ],
      sequence: { groupOrder: 1 },
    },
  },
  {
    extends: true,
    test: {
      name: 'browser',
      // A page takes a processor by itself.
      maxWorkers: availableParallelism(),
      include: BROWSER,
      globalSetup: ['vitest.run-directory.ts', 'apps/e2e/test/shared-demo.ts'],
      sequence: { groupOrder: 2 },
    },
  },
  {
    extends: true,
    test: {
      ...WAITING,
      name: 'system',
      // Some type the commands of a page, of which each starts a program.
      testTimeout: 240_000,
      include: SYSTEM,
      exclude: BROWSER,
      globalSetup: ['vitest.run-directory.ts', 'apps/e2e/test/shared-demo.ts'],
      sequence: { groupOrder: 3 },
    },
  },
];

/** Each file fills the machine by itself: containers, registries, groups of servers. */
const release: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'release',
    include: ['apps/release/test/**/*.test.ts'],
    maxWorkers: 1,
    isolate: true,
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    sequence: { groupOrder: 4 },
  },
};

export default defineConfig({
  resolve: { alias: [SERVERS, ...ENGINE] },
  test: {
    // A worker keeps what it has loaded, and its servers, from file to file.
    isolate: false,
    setupFiles: ['vitest.each-file.ts'],
    globalSetup: ['vitest.run-directory.ts'],
    reporters: ['default', './vitest.reporter.ts'],
    exclude: [
      '**/node_modules/**',
      ...(beforeRelease ? [] : ['**/*.release.test.ts', ...waitingFiles]),
    ],
    env: {
      TEST_SEED: String(seed),
      // Processes that tests start are up in a quarter of the time.
      NODE_COMPILE_CACHE: path('node_modules/.cache/compile'),
    },
    // A hang is found in half a minute; what runs before a release runs for longer.
    testTimeout: beforeRelease ? 240_000 : 30_000,
    hookTimeout: beforeRelease ? 240_000 : 60_000,
    // A machine under load takes its time to end the demo, which would outlive the run.
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    projects: beforeRelease ? [...projects, release] : projects,
  },
});
