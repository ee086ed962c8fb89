import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';

import type { Lifecycle } from '../../process/lifecycle.ts';

interface RetireOptions {
  readonly lifecycle: Lifecycle;
}

/** Closes connections when the server stops: kept ones would break under the next request. */
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

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Time to read what was already sent, in milliseconds. */
const READ_MS = 250;

/** Closes unused connections, and those with an overdue request: Node no longer checks that. */
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
