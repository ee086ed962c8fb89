import { fileURLToPath } from 'node:url';
import { mergeConfig } from 'vitest/config';

import { packageTests } from '../../vitest.shared.ts';

// The examples import the package by its name, as a reader would.
const client = fileURLToPath(new URL('src/index.ts', import.meta.url));

export default mergeConfig(
  // Starting a worker per file takes longer than the tests, which leave nothing behind.
  packageTests({ isolate: false }),
  { resolve: { alias: { '@proj/client': client } } },
);
