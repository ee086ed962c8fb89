import type { ServerResponse } from 'node:http';

import { Attached } from './attached.ts';

const LISTENERS = new Attached<ServerResponse, (() => void)[]>();

/** Also when the caller has left. One listener for all: with ten of its own, Node would warn. */
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
