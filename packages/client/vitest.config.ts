import { fileURLToPath } from 'node:url';
import { mergeConfig } from 'vitest/config';

import shared from '../../vitest.shared.ts';

// The examples import the package by its name, as a reader would.
const client = fileURLToPath(new URL('src/index.ts', import.meta.url));

export default mergeConfig(shared, {
  resolve: { alias: { '@proj/client': client } },
  // Starting a worker per file takes longer than the tests, which leave nothing behind.
  test: { isolate: false },
});
