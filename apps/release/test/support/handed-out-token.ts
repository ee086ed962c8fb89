import { createHash } from 'node:crypto';

/** A token, and its entry in the settings for the role `reader`. */
export interface HandedOutToken {
  readonly token: string;
  readonly entry: { readonly name: string; readonly role: 'reader'; readonly sha256: string };
}

/** The token of a caller. */
export function tokenOf(name: string): HandedOutToken {
  const token = `dq_${name}-0123456789abcdefghijklmnopqrstuvwxyz`;
  const sha256 = createHash('sha256').update(token).digest('hex');
  return { token, entry: { name, role: 'reader', sha256 } };
}
