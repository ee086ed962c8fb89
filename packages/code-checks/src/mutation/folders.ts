/** A folder whose mutants the tests have to kill. */
export interface MutatedFolder {
  /** What the command line and the report call it. */
  readonly name: string;
  /** From the root of the repository; its tests stand beside the code. */
  readonly path: string;
  /** Tests elsewhere that are needed for it and fast. */
  readonly otherTests: readonly string[];
}

export const MUTATED_FOLDERS: readonly MutatedFolder[] = [
  {
    name: 'planning',
    path: 'packages/engine/src/planning',
    otherTests: ['packages/engine/src/{catalogue,sql}/**/*.test.ts'],
  },
  { name: 'sql', path: 'packages/engine/src/sql', otherTests: [] },
  { name: 'reading', path: 'packages/engine/src/reading', otherTests: [] },
  {
    // The parts that decide in Node; what asks the server is held by integration tests.
    name: 'feed',
    path: 'packages/postgres/src/{log,feed/changes,feed/lists}',
    otherTests: [],
  },
  { name: 'facets', path: 'packages/engine/src/sources/facets', otherTests: [] },
  {
    name: 'limits',
    path: 'apps/server/src/limits',
    otherTests: ['apps/server/src/commands/workers/worker/worker-queries.test.ts'],
  },
  { name: 'access', path: 'apps/server/src/access', otherTests: [] },
  {
    name: 'roles',
    path: 'packages/fastify/src/access',
    otherTests: [],
  },
];

/** The share of the mutants of each folder that the tests have to kill. */
export const KILLED_SHARE = 0.9;
