import type { FastifyReply } from 'fastify';

import { onReplyEnd } from './reply-end.ts';

/**
 * Aborts when the caller's connection closes before the reply is out. `request.signal` and
 * `request.raw` will not do: they also report the end of a body that was read (fastify#4690).
 */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (reply.raw.destroyed) controller.abort();
  onReplyEnd(reply.raw, () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
