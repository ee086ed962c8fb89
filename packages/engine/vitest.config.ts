import { fileURLToPath } from 'node:url';

import { packageTests } from '../../vitest.shared.ts';

// Most tests wait for readers, which start from TypeScript: with compiled code at hand one is up in
// a quarter of the time.
const NODE_COMPILE_CACHE = fileURLToPath(new URL('node_modules/.cache/compile', import.meta.url));

const globalSetup = ['test/fixtures/servers.ts'];

const FIRST = [
  'test/postgres/feed/filtered.test.ts',
  'test/schema-changes.test.ts',
  'test/truth/truth.test.ts',
  'test/databases/sql-injection.test.ts',
  'test/postgres/pooler.test.ts',
  'test/truth/sabotage.test.ts',
  'test/sqlite/index-builds.test.ts',
];

const integration = {
  env: { NODE_COMPILE_CACHE },
  globalSetup,
  // Loading the engine and the drivers anew for each file would take a twelfth of the time.
  isolate: false,
  setupFiles: ['test/each-file.ts'],
};

export default packageTests(integration, FIRST);
