import type { Consumption, Usage } from '../../../limits/counts/rate-limit-state.ts';
import type { ServiceCounts } from '../../../limits/counts/service-counts.ts';
import type { Channel } from '../shared/channel.ts';
import { inTime } from '../shared/in-time.ts';
import type { ToPrimary, ToWorker } from '../shared/protocol.ts';

interface Waiting {
  readonly consumptions: readonly Consumption[];
  readonly usages: PromiseWithResolvers<Usage[]>;
}

/** Counts in the primary process, or refuses: counting here alone would exceed the limit. */
export class WorkerCounts implements ServiceCounts {
  readonly workers: number;
  readonly #channel: Pick<Channel<ToPrimary, ToWorker>, 'ask' | 'tell'>;
  #waiting: Waiting[] = [];

  constructor(channel: Pick<Channel<ToPrimary, ToWorker>, 'ask' | 'tell'>, workers: number) {
    this.#channel = channel;
    this.workers = workers;
  }

  consume(consumptions: readonly Consumption[]): Promise<Usage[]> {
    const usages = Promise.withResolvers<Usage[]>();
    this.#waiting.push({ consumptions, usages });
    if (this.#waiting.length === 1) setImmediate(() => void this.#send(this.#waiting.splice(0)));
    return usages.promise;
  }

  borrow(token: string, pool: number): Promise<{ granted: boolean; lent: number }> {
    return inTime(this.#channel.ask('borrow', { token, pool }), ({ granted }) => {
      if (granted) this.giveBack(token);
    });
  }

  giveBack(token: string): void {
    this.#channel.tell('giveBack', token);
  }

  async #send(waiting: readonly Waiting[]): Promise<void> {
    try {
      const sent = waiting.flatMap(({ consumptions }) =>
        consumptions.map((consumption) => ({ ...consumption, policy: consumption.policy.name })),
      );
      const all = await inTime(this.#channel.ask('consume', sent));
      let from = 0;
      for (const { consumptions, usages } of waiting)
        usages.resolve(all.slice(from, (from += consumptions.length)));
    } catch (error) {
      for (const { usages } of waiting) usages.reject(error);
    }
  }
}
