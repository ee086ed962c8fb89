import { type Ask, principalOf } from '@proj/fastify/host';
import * as z from 'zod';

const CALL = z.object({ id: z.union([z.string(), z.number()]), method: z.literal('tools/call') });

const CANCELLATION = z.object({
  method: z.literal('notifications/cancelled'),
  params: z.object({ requestId: z.union([z.string(), z.number()]) }),
});

type Asked = Pick<Ask, 'body' | 'principal' | 'address'>;

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
  noteCancellation(ask: Asked): void {
    const { success, data } = CANCELLATION.safeParse(ask.body);
    if (!success) return;
    const [named, ...others] = this.#running.get(keyOf(ask, data.params.requestId)) ?? [];
    if (others.length === 0) named?.abort();
  }

  /** Answers under a signal that aborts when the given one does, or the call is given up. */
  async run<Answer>(
    ask: Asked,
    signal: AbortSignal,
    answer: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    const { success, data } = CALL.safeParse(ask.body);
    if (!success) return answer(signal);
    const key = keyOf(ask, data.id);
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

function keyOf(ask: Asked, id: string | number): string {
  return JSON.stringify([principalOf(ask).id, ask.address, id]);
}
