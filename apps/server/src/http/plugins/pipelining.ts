import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { onReplyEnd } from '@proj/fastify/host';
import fp from 'fastify-plugin';

/** Pending requests of a connection; browsers, proxies and the SDK wait for each reply. */
const MOST_UNDER_WAY = 8;

/** Closes connections with more: Node reads all that arrive together before answering one. */
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
    // Skipping Fastify's listeners is the cheapest way.
    const listeners = server.listeners('request');
    server.removeAllListeners('request').on('request', (request, response) => {
      if (!isAdmitted(request, response)) return;
      for (const listener of listeners) Reflect.apply(listener, server, [request, response]);
    });
    done();
  },
  { name: 'pipelining' },
);
