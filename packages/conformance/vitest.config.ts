import { packageTests } from '../../vitest.shared.ts';

export default packageTests({}, ['test/conformance.test.ts']);
