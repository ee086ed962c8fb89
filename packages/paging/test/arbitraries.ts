import * as fc from 'fast-check';

/**
 * A page number or size that a JSON request may carry: 1 … 2^53 − 1, small ones as often as large
 * ones.
 */
export const wireNumber = fc.oneof(
  fc.integer({ min: 1, max: 50 }),
  fc.maxSafeNat().map((value) => Math.max(1, value)),
  fc.constant(Number.MAX_SAFE_INTEGER),
);

/** A page request over the whole legal range. */
export const wirePage = fc.record({ page: wireNumber, size: wireNumber });

/** A total as a database may count it, and far beyond: past 2^53 and past 2^64. */
export const anyTotal = fc.oneof(
  fc.bigInt({ min: 0n, max: 500n }),
  fc.bigInt({ min: 0n, max: 2n ** 130n }),
);

/** A total within two pages of the page's own end, where every comparison flips. */
export const pageNearEnd = wirePage.chain(({ page, size }) => {
  const end = BigInt(page) * BigInt(size);
  const slack = 2n * BigInt(size);
  const total = fc.oneof(fc.bigInt({ min: -slack, max: slack }), fc.bigInt({ min: -1n, max: 1n }));
  return fc.record({
    page: fc.constant({ page, size }),
    total: total.map((difference) => (end + difference < 0n ? 0n : end + difference)),
  });
});
