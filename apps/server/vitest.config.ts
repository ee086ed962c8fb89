import { packageTests } from '../../vitest.shared.ts';

// Most of the slow tests wait, for senders that are cut off and for processes that stop. Loading the
// server anew for each file would take a fifth of the time; its tests leave nothing behind.
export default packageTests({ maxConcurrency: 10, isolate: false });
