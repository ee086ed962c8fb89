import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

import { Turns } from '../../limits/turns.ts';
import { onReplyEnd } from '../request/reply-end.ts';

/**
 * Lets callers take turns on the event loop, before a body is read and before a reply is sent (many
 * replies may become ready with one read). So a caller with many requests delays those of others
 * only a little.
 */
export const turnsPlugin = fp(
  (app, _options, done) => {
    const turns = new Turns();
    const take = ({ principal }: FastifyRequest, { raw }: FastifyReply, next: () => void): void => {
      if (principal === null) {
        next();
        return;
      }
      const giveUp = turns.take(principal.id, next);
      if (giveUp !== undefined) onReplyEnd(raw, giveUp);
    };
    app.addHook('onRequest', take);
    // oxlint-disable-next-line max-params -- the signature is Fastify's
    app.addHook('onSend', (request, reply, _payload, next) => take(request, reply, () => next()));
    done();
  },
  { name: 'turns', dependencies: ['access', 'token-limits'] },
);
