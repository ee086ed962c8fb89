import { type Answer, type Ask, HttpProblem, type Station } from '@proj/fastify/host';

import { addressOwner } from '../../limits/address-owner.ts';
import { UnsentBytes, type UnsentLimit } from '../../limits/unsent-bytes.ts';
import type { Settings } from '../../settings/schema.ts';

export interface Sending {
  readonly unsent: UnsentBytes;
  readonly timeoutMs: number;
  /** Connections closed because they took nothing of their replies. */
  timeouts: number;
}

type SendingLimits = Pick<
  Settings['limits'],
  'max_unsent_bytes' | 'max_unsent_bytes_per_token' | 'send_timeout_ms'
>;

export function createSending(limits: SendingLimits, workers = 1): Sending {
  const unsent = new UnsentBytes({
    perOwner: limits.max_unsent_bytes_per_token / workers,
    inAll: limits.max_unsent_bytes / workers,
  });
  return { unsent, timeoutMs: limits.send_timeout_ms, timeouts: 0 };
}

/** Smaller replies fit into the buffers of every connection, and do not count. */
const SMALL_REPLY_BYTES = 16 * 1024;

/** Bounds unread replies. Precedes the limits of tokens. */
export function unsentLimits(unsent: UnsentBytes): Station {
  return {
    admit: (ask, { reads }) => {
      if (reads === true) refuse(unsent.reached(ownerOf(ask)));
    },
    leave: (ask, { body }) => {
      const bytes = bytesOf(body);
      if (bytes > SMALL_REPLY_BYTES) hold(unsent, ask, bytes);
    },
  };
}

function hold(unsent: UnsentBytes, ask: Ask, bytes: number): void {
  // The caller has left: nothing waits, and no event would end the waiting.
  if (ask.isOver) return;
  const owner = ownerOf(ask);
  const reached = unsent.add(owner, bytes);
  // Replaced by a problem, its records do not count against the quota.
  if (reached !== undefined) ask.read = undefined;
  refuse(reached);
  ask.onEnd(() => unsent.remove(owner, bytes));
}

function refuse(reached: UnsentLimit | undefined): void {
  if (reached === 'inAll')
    throw new HttpProblem('overloaded', 'Too many bytes of replies wait to be read.');
  if (reached === undefined) return;
  const detail = 'Too many bytes of replies to this caller wait to be read.';
  throw new HttpProblem('rate_limited', detail, { headers: { 'retry-after': '1' } });
}

function ownerOf({ principal, address }: Ask): string {
  return principal === undefined ? `address ${addressOwner(address)}` : `token ${principal.id}`;
}

/** Streams are read no faster than they are sent. */
function bytesOf(payload: Answer['body']): number {
  if (typeof payload !== 'string') return 0;
  return payload.length > SMALL_REPLY_BYTES / 3 ? Buffer.byteLength(payload) : payload.length;
}
