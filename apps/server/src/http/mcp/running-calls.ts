import type { FastifyRequest } from 'fastify';
import * as z from 'zod';

import { principalOf } from '../plugins/access.ts';

const CALL = z.object({ id: z.union([z.string(), z.number()]), method: z.literal('tools/call') });

const CANCELLATION = z.object({
  method: z.literal('notifications/cancelled'),
  params: z.object({ requestId: z.union([z.string(), z.number()]) }),
});

type Asked = Pick<FastifyRequest, 'body' | 'principal' | 'ip'>;

/**
 * The calls of tools that run. A client of version 2025-11-25 gives one up by a notification with
 * its id, in a request of its own, and may keep the connection of the call open.
 */
export class RunningCalls {
  readonly #running = new Map<string, Set<AbortController>>();

  /**
   * Aborts the call that a notification names. Ids are numbered by each client: where two clients
   * with the same token and address have a call of this id, neither is taken for the other's.
   */
  noteCancellation(request: Asked): void {
    const { success, data } = CANCELLATION.safeParse(request.body);
    if (!success) return;
    const [named, ...others] = this.#running.get(keyOf(request, data.params.requestId)) ?? [];
    if (others.length === 0) named?.abort();
  }

  /** Answers under a signal that aborts when the given one does, or the call is given up. */
  async run<Answer>(
    request: Asked,
    signal: AbortSignal,
    answer: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    const { success, data } = CALL.safeParse(request.body);
    if (!success) return answer(signal);
    const key = keyOf(request, data.id);
    const call = new AbortController();
    const running = this.#running.get(key) ?? new Set();
    this.#running.set(key, running.add(call));
    try {
      return await answer(AbortSignal.any([signal, call.signal]));
    } finally {
      running.delete(call);
      if (running.size === 0) this.#running.delete(key);
    }
  }
}

function keyOf(request: Asked, id: string | number): string {
  return JSON.stringify([principalOf(request).id, request.ip, id]);
}
