import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { onReplyEnd } from '@proj/fastify/host';
import fp from 'fastify-plugin';

/**
 * So many requests of a connection are under way at most. Browsers, proxies and the SDK send the
 * next one when they have the reply.
 */
const MOST_UNDER_WAY = 8;

/**
 * Closes a connection with more requests under way: Node reads all that have come together before
 * the first is answered. What a closed connection has asked for reaches nobody.
 */
export const pipeliningPlugin = fp(
  (app, _options, done) => {
    const { server } = app;
    const underWay = new WeakMap<Socket, number>();
    const add = (socket: Socket, change: number): number => {
      const count = (underWay.get(socket) ?? 0) + change;
      underWay.set(socket, count);
      return count;
    };
    const isAdmitted = ({ socket }: IncomingMessage, response: ServerResponse): boolean => {
      if (socket.destroyed) return false;
      onReplyEnd(response, () => add(socket, -1));
      if (add(socket, 1) <= MOST_UNDER_WAY) return true;
      socket.destroy();
      app.log.info('closed a connection that sent requests without waiting for replies');
      return false;
    };
    // Nothing that Fastify has for a request is as cheap as passing it over.
    const listeners = server.listeners('request');
    server.removeAllListeners('request').on('request', (request, response) => {
      if (!isAdmitted(request, response)) return;
      for (const listener of listeners) Reflect.apply(listener, server, [request, response]);
    });
    done();
  },
  { name: 'pipelining' },
);
