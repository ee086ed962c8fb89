const RANGE = 2n ** 32n;

/** Completes the low half of an id by a recent one: ids in use are less than 2^31 apart. */
export function widenXid(low: number, near: bigint): bigint {
  return near + BigInt.asIntN(32, BigInt(low) - (near % RANGE));
}
