import { fileURLToPath } from 'node:url';
import { mergeConfig } from 'vitest/config';

import shared from '../../vitest.shared.ts';

// Most tests wait for readers, which start from TypeScript: with compiled code at hand one is up in
// a quarter of the time.
const NODE_COMPILE_CACHE = fileURLToPath(new URL('node_modules/.cache/compile', import.meta.url));

const globalSetup = ['test/fixtures/servers.ts'];

export default mergeConfig(shared, {
  test: { env: { NODE_COMPILE_CACHE }, maxWorkers: 3, globalSetup },
});
