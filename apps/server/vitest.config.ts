import { mergeConfig } from 'vitest/config';

import shared from '../../vitest.shared.ts';

// Most of the slow tests wait, for senders that are cut off and for processes that stop.
export default mergeConfig(shared, { test: { maxWorkers: 4, maxConcurrency: 10 } });
