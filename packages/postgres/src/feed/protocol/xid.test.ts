import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { widenXid } from '../changes/transactions.ts';

const XID = fc.bigInt({ min: 2n ** 32n, max: 2n ** 60n });

it('the id of a transaction is whole again from its low half and one that was in use lately', () => {
  const distance = fc.bigInt({ min: -(2n ** 31n), max: 2n ** 31n - 1n });
  fc.assert(
    fc.property(XID, distance, (near, offset) => {
      const xid = near + offset;
      expect(widenXid(Number(xid % 2n ** 32n), near)).toBe(xid);
    }),
  );
});
