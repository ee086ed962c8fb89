import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';

import type { Lifecycle } from '../../process/lifecycle.ts';

interface RetireOptions {
  readonly lifecycle: Lifecycle;
}

/**
 * Closes each connection with the next reply on it once the server stops, and those through which
 * nothing has come. A kept one would hold the process until it idles out, and would break under the
 * caller's next request when the server closes.
 */
export const retireConnectionsPlugin = fp<RetireOptions>(
  (app, { lifecycle }, done) => {
    app.addHook('preClose', (closed) => {
      lifecycle.beginClosing();
      closed();
    });
    closeUnused(app, lifecycle);
    // oxlint-disable-next-line max-params -- the signature is Fastify's
    app.addHook('onSend', (_request, reply, _payload, next) => {
      if (lifecycle.isDraining) void reply.header('connection', 'close');
      next();
    });
    done();
  },
  { name: 'retire-connections' },
);

/** The last request of a connection, and its reply. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** What has been sent by now is read within so many milliseconds. */
const READ_MS = 250;

/**
 * Closes connections on which there is nothing to answer: soon where no request has come, as of
 * those that browsers open in advance, and others when their request would have had to arrive as a
 * whole. Node no longer looks at the time that senders take once a server closes.
 */
function closeUnused({ server }: FastifyInstance, lifecycle: Lifecycle): void {
  const open = new Map<Socket, Exchange | undefined>();
  server.on('connection', (socket) => {
    open.set(socket, undefined);
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', (request, response) => {
    if (open.has(request.socket)) open.set(request.socket, { request, response });
  });
  lifecycle.onClosing(() => {
    closeAfter(READ_MS, isUnanswered);
    closeAfter(server.requestTimeout, (last) => isUnanswered(last) && last.request.complete);
  });

  function closeAfter(milliseconds: number, isKept: (last: Exchange | undefined) => boolean): void {
    setTimeout(() => {
      for (const [socket, last] of open) if (!isKept(last)) socket.destroy();
    }, milliseconds).unref();
  }
}

function isUnanswered(last: Exchange | undefined): last is Exchange {
  return last?.response.writableFinished === false;
}
