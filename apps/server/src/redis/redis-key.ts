import { createHash } from 'node:crypto';

/** The part in braces keeps the keys of one caller on one node of a cluster. */
export function redisKeyOf(owner: string, kind: string): string {
  // Names and addresses unchanged; subjects of JWTs may be long, and hold anything.
  const key = /^[\w.:-]{1,64}$/.test(owner)
    ? owner
    : `sha256-${createHash('sha256').update(owner).digest('hex')}`;
  return `dynamic-query:{${key}}:${kind}`;
}
