import { packageTests } from '../../vitest.shared.ts';

const FIRST = [
  'test/explorer/problems.test.ts',
  'test/docs/how-to.test.ts',
  'test/explorer/table.test.ts',
  'test/explorer/looks.test.ts',
  'test/dq/export.test.ts',
  'test/sdk/key-order-under-writes.test.ts',
  'test/explorer/take-away.test.ts',
  'test/conformance/conformance.test.ts',
];

export default packageTests({ globalSetup: ['test/shared-programs.ts'] }, FIRST);
