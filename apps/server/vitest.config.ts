import { packageTests } from '../../vitest.shared.ts';

// Most of the slow tests wait, for senders that are cut off and for processes that stop.
export default packageTests({ maxConcurrency: 10 });
