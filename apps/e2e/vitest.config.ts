import { packageTests } from '../../vitest.shared.ts';

export default packageTests({ globalSetup: ['test/shared-programs.ts'] });
