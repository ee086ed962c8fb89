import { performance } from 'node:perf_hooks';

import { LocalCounts } from '../../../limits/counts/local-counts.ts';
import { INVALID_TOKENS, policyNamed } from '../../../limits/counts/policies.ts';
import type { Usage } from '../../../limits/counts/rate-limit-state.ts';
import type { Handlers } from '../shared/channel.ts';
import { LentSlots } from './lent-slots.ts';
import type { SentConsumption, ToPrimary } from '../shared/protocol.ts';

type Block = { readonly owner: string; readonly resetMs: number };

export class SharedState {
  readonly #counts = new LocalCounts(() => performance.now());
  readonly #slots = new LentSlots();
  /** The one worker that builds a page index. */
  #builder: number | undefined;
  readonly #onBlock: (block: Block) => void;

  /** @param onBlock called when an address has sent too many invalid tokens */
  constructor(onBlock: (block: Block) => void) {
    this.#onBlock = onBlock;
  }

  handlersOf(worker: number): Omit<Handlers<ToPrimary>, 'listen' | 'waiting' | 'seenElsewhere'> {
    return {
      consume: (consumptions) => consumptions.map((consumption) => this.#consume(consumption)),
      borrow: ({ token, pool }) => this.#slots.borrow(worker, token, pool),
      giveBack: (token) => this.#slots.giveBack(worker, token),
      takeTurn: () => this.#takeTurn(worker),
      endTurn: () => this.#endTurn(worker),
    };
  }

  workerEnded(worker: number): void {
    this.#slots.workerEnded(worker);
    this.#endTurn(worker);
  }

  #takeTurn(worker: number): boolean {
    if (this.#builder !== undefined) return false;
    this.#builder = worker;
    return true;
  }

  #endTurn(worker: number): void {
    if (this.#builder === worker) this.#builder = undefined;
  }

  #consume(sent: SentConsumption): Usage {
    const policy = policyNamed(sent.policy);
    const usage = this.#counts.consume({ ...sent, policy });
    const { owner, amount, limit } = sent;
    const isReached = usage.consumed >= limit && usage.consumed - amount < limit;
    if (policy === INVALID_TOKENS && isReached) this.#onBlock({ owner, resetMs: usage.resetMs });
    return usage;
  }
}
