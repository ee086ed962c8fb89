import { type Answer, type Ask, HttpProblem, type Station } from '@proj/fastify/host';
import fp from 'fastify-plugin';

import { addressOwner } from '../../limits/address-owner.ts';
import { UnsentBytes, type UnsentLimit } from '../../limits/unsent-bytes.ts';
import type { Settings } from '../../settings/schema.ts';
import { SendWatch } from '../request/send-watch.ts';

export interface Sending {
  readonly unsent: UnsentBytes;
  readonly watch: SendWatch;
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
  return { unsent, watch: new SendWatch(limits.send_timeout_ms) };
}

interface SlowReadersOptions {
  readonly watch: SendWatch;
}

/** Smaller replies fit into the buffers of every connection, and do not count. */
const SMALL_REPLY_BYTES = 16 * 1024;

/** How often connections are checked within the time limit. */
const CHECKS_PER_TIMEOUT = 4;

export const slowReadersPlugin = fp<SlowReadersOptions>(
  (app, { watch }, done) => {
    app.server.on('connection', (socket) => watch.add(socket, performance.now()));
    const timer = setInterval(() => {
      const closed = watch.check(performance.now());
      if (closed > 0)
        app.log.info({ closed }, 'closed connections that took nothing of their replies');
    }, watch.timeoutMs / CHECKS_PER_TIMEOUT).unref();
    app.addHook('onClose', async () => clearInterval(timer));
    done();
  },
  { name: 'slow-readers' },
);

/** Bounds unread replies. Precedes the limits of tokens. */
export function unsentLimits(unsent: UnsentBytes): Station {
  return {
    admit: (ask, { reads }) => {
      if (reads === true) refuse(unsent.reached(ownerOf(ask)));
      return undefined;
    },
    leave: (ask, { body }) => {
      const bytes = bytesOf(body);
      if (bytes > SMALL_REPLY_BYTES) hold(unsent, ask, bytes);
      return undefined;
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
  throw new HttpProblem(
    'rate_limited',
    'Too many bytes of replies to this caller wait to be read.',
    {
      headers: { 'retry-after': '1' },
    },
  );
}

function ownerOf({ principal, address }: Ask): string {
  return principal === undefined ? `address ${addressOwner(address)}` : `token ${principal.id}`;
}

/** Streams are read no faster than they are sent. */
function bytesOf(payload: Answer['body']): number {
  if (typeof payload !== 'string') return 0;
  return payload.length > SMALL_REPLY_BYTES / 3 ? Buffer.byteLength(payload) : payload.length;
}
