import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

import { addressOwner } from '../../limits/address-owner.ts';
import { UnsentBytes, type UnsentLimit } from '../../limits/unsent-bytes.ts';
import type { Settings } from '../../settings/schema.ts';
import { HttpProblem } from '../problems.ts';
import { onReplyEnd } from '../request/reply-end.ts';
import { SendWatch } from '../request/send-watch.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether replies are the same bytes for all, so that those who do not read take no more. */
    sharesBytes?: true;
  }
}

/** What bounds callers who do not read their replies. */
export interface Sending {
  readonly unsent: UnsentBytes;
  readonly watch: SendWatch;
}

type SendingLimits = Pick<
  Settings['limits'],
  'max_unsent_bytes' | 'max_unsent_bytes_per_token' | 'send_timeout_ms'
>;

/** The bounds that the settings name. */
export function createSending(limits: SendingLimits, workers = 1): Sending {
  const unsent = new UnsentBytes({
    perOwner: limits.max_unsent_bytes_per_token / workers,
    inAll: limits.max_unsent_bytes / workers,
  });
  return { unsent, watch: new SendWatch(limits.send_timeout_ms) };
}

interface SlowReadersOptions {
  readonly sending: Sending;
}

/** Smaller replies fit into the buffers that every connection has, and do not count. */
const SMALL_REPLY_BYTES = 16 * 1024;

/** How often connections are looked at within the time limit. */
const CHECKS_PER_TIMEOUT = 4;

/**
 * Bounds what waits for callers who do not read, and closes their connections. Comes after access
 * and before the limits of tokens.
 */
export const slowReadersPlugin = fp<SlowReadersOptions>(
  (app, { sending: { unsent, watch } }, done) => {
    app.server.on('connection', (socket) => watch.add(socket, performance.now()));
    const timer = setInterval(() => {
      const closed = watch.check(performance.now());
      if (closed > 0)
        app.log.info({ closed }, 'closed connections that took nothing of their replies');
    }, watch.timeoutMs / CHECKS_PER_TIMEOUT).unref();
    app.addHook('onClose', async () => clearInterval(timer));

    app.addHook('onRequest', async (request) => {
      if (request.routeOptions.config.runsQuery === true) refuse(unsent.reached(ownerOf(request)));
    });
    app.addHook('onSend', async (request, reply, payload) => {
      if (request.routeOptions.config.sharesBytes === true) return;
      const bytes = bytesOf(payload);
      if (bytes > SMALL_REPLY_BYTES) hold(unsent, { request, reply, bytes });
    });
    done();
  },
  { name: 'slow-readers', dependencies: ['access', 'audit'] },
);

interface LargeReply {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly bytes: number;
}

function hold(unsent: UnsentBytes, { request, reply, bytes }: LargeReply): void {
  // Its caller has left: nothing waits, and no event would end the waiting.
  if (reply.raw.destroyed) return;
  const owner = ownerOf(request);
  const reached = unsent.add(owner, bytes);
  // The reply is replaced by a problem, so its records do not count against the quota.
  if (reached !== undefined) request.queried = null;
  refuse(reached);
  onReplyEnd(reply.raw, () => unsent.remove(owner, bytes));
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

function ownerOf({ principal, ip }: FastifyRequest): string {
  return principal === null ? `address ${addressOwner(ip)}` : `token ${principal.id}`;
}

/** Streams are read no faster than they are sent. */
function bytesOf(payload: unknown): number {
  if (typeof payload === 'string')
    return payload.length > SMALL_REPLY_BYTES / 3 ? Buffer.byteLength(payload) : payload.length;
  return Buffer.isBuffer(payload) ? payload.length : 0;
}
