import { mergeConfig } from 'vitest/config';

import { shared } from '../../vitest.shared.ts';

export default mergeConfig(shared, {
  test: {
    name: 'release',
    include: ['test/**/*.test.ts'],
    // Each file fills the machine by itself: containers, registries, groups of servers.
    fileParallelism: false,
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
  },
});
