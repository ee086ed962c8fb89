const RANGE = 2n ** 32n;

/**
 * The whole id of a transaction of which the log has the low half. Ids that are in use at the same
 * time are less than 2^31 apart.
 *
 * @param near an id that was in use lately
 */
export function widenXid(low: number, near: bigint): bigint {
  return near + BigInt.asIntN(32, BigInt(low) - (near % RANGE));
}
