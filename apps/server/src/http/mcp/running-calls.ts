import { type Ask, principalOf } from '@proj/fastify/host';
import * as z from 'zod';

const CALL = z.object({ id: z.union([z.string(), z.number()]), method: z.literal('tools/call') });

const CANCELLATION = z.object({
  method: z.literal('notifications/cancelled'),
  params: z.object({ requestId: z.union([z.string(), z.number()]) }),
});

type Asked = Pick<Ask, 'body' | 'principal' | 'address'>;

/** Clients of version 2025-11-25 cancel a call by a separate notification with its id. */
export class RunningCalls {
  readonly #running = new Map<string, Set<AbortController>>();

  /** Aborts the named call, unless two clients with the same token and address use this id. */
  noteCancellation(ask: Asked): void {
    const { success, data } = CANCELLATION.safeParse(ask.body);
    if (!success) return;
    const [named, ...others] = this.#running.get(keyOf(ask, data.params.requestId)) ?? [];
    if (others.length === 0) named?.abort();
  }

  /** Aborts with the given signal, or when the call is cancelled. */
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
