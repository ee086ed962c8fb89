import type { ServerResponse } from 'node:http';

const LISTENERS = new WeakMap<ServerResponse, (() => void)[]>();

/**
 * Calls a listener when a reply is out, or its caller has left before that (unlike Fastify's
 * `onResponse`). One listener of the reply itself calls them all, in their order: with ten of its
 * own, Node would warn of a leak.
 */
export function onReplyEnd(reply: ServerResponse, listener: () => void): void {
  const known = LISTENERS.get(reply);
  if (known !== undefined) {
    known.push(listener);
    return;
  }
  const listeners = [listener];
  LISTENERS.set(reply, listeners);
  reply.once('close', () => {
    for (const each of listeners) each();
  });
}
