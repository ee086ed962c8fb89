import { fileURLToPath } from 'node:url';
import { mergeConfig } from 'vitest/config';

import { packageTests } from '../../vitest.shared.ts';

const source = fileURLToPath(new URL('src', import.meta.url));

export default mergeConfig(packageTests({ isolate: false }), {
  // The examples import the package by its name, as a reader would.
  resolve: {
    alias: [
      { find: /^@proj\/grids\/(.*)$/, replacement: `${source}/$1/index.ts` },
      { find: /^@proj\/grids$/, replacement: `${source}/index.ts` },
    ],
  },
});
