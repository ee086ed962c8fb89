import { packageTests } from '../../vitest.shared.ts';

const FIRST = ['test/readme.test.ts', 'test/processes.test.ts'];

export default packageTests({}, FIRST);
