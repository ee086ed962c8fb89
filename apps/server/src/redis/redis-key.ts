import { createHash } from 'node:crypto';

/**
 * The key under which something of a caller is in Redis. The part in braces decides the node of a
 * cluster, so that the keys of one caller are together.
 */
export function redisKeyOf(owner: string, kind: string): string {
  return `dynamic-query:{${ownerKey(owner)}}:${kind}`;
}

/** Names and addresses as they are; the subjects of JWTs may be long, and hold anything. */
function ownerKey(owner: string): string {
  return /^[\w.:-]{1,64}$/.test(owner)
    ? owner
    : `sha256-${createHash('sha256').update(owner).digest('hex')}`;
}
