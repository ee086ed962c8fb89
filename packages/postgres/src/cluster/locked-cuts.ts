import { setTimeout as sleep } from 'node:timers/promises';

import { Deadlines, type ReadCall } from '@proj/engine/database';

import { NoCommonStateError } from '../connection/errors.ts';
import type { ClusterAccess, ClusterServers, LockBounds } from './cluster-servers.ts';
import { demandOwn, findHeldState, type FoundCut, type FoundState } from './common-state.ts';
import { holdLocks } from './held-locks.ts';

const MOST_READS = 8;

/** Milliseconds that getting, using and releasing locks may take beyond that. */
const ROUND_MS = 3000;

/** Without locks, most states are found in a part of this starving time. */
export const BOUNDS: LockBounds = { starvingMs: 1000, snapshotsMs: 250, partsOfTime: 20 };

interface Waiter {
  readonly signal: AbortSignal;
  readonly begun: PromiseWithResolvers<LockedCut>;
}

/** Finds states while no distributed transaction can commit. Reads share locks, then pause. */
export class LockedCuts {
  readonly #servers: ClusterServers;
  readonly #bounds: LockBounds;
  readonly #processes: number;
  #waiters: Waiter[] = [];
  #isAtWork = false;
  #isPausing = false;

  constructor(
    servers: ClusterServers,
    { processes = 1, bounds = BOUNDS }: Pick<ClusterAccess, 'processes' | 'bounds'>,
  ) {
    this.#servers = servers;
    this.#processes = processes;
    this.#bounds = bounds;
  }

  get isPausing(): boolean {
    return this.#isPausing;
  }

  join({ signal }: ReadCall): Promise<FoundCut> {
    const begun = Promise.withResolvers<LockedCut>();
    this.#waiters.push({ signal, begun });
    if (!this.#isAtWork) void this.#work();
    return Deadlines.waitOrAbort(begun.promise, signal, () => {
      begun.promise.then(
        (cut) => cut.leave(),
        () => undefined,
      );
    });
  }

  async #work(): Promise<void> {
    this.#isAtWork = true;
    while (this.#waiters.length > 0) {
      const heldMs = await this.#round();
      const pausedParts = this.#bounds.partsOfTime * this.#processes - 1;
      this.#isPausing = true;
      await sleep(heldMs * pausedParts, undefined, { ref: false });
      this.#isPausing = false;
    }
    this.#isAtWork = false;
  }

  /** @returns for how many milliseconds writers may have waited */
  async #round(): Promise<number> {
    let cuts: readonly LockedCut[] = [];
    let heldSince: number | undefined;
    const isLocking = (): void => {
      heldSince = performance.now();
    };
    const { snapshotsMs } = this.#bounds;
    const timeoutMs = ROUND_MS + snapshotsMs;
    try {
      await Deadlines.withDeadline({ timeoutMs, timeoutError }, async (call) => {
        // Opens connections before writers wait, or finds that a server does not answer.
        await this.#servers.look(call);
        const release = await holdLocks(this.#servers, { call, isLocking, snapshotsMs });
        try {
          cuts = this.#beginCuts(await findHeldState(this.#servers, call));
          await allOver(cuts, snapshotsMs);
        } finally {
          await release();
        }
      });
      for (const cut of cuts) cut.end();
    } catch (error) {
      const unbegun = cuts.length === 0 ? this.#waiters.splice(0) : [];
      for (const { begun } of unbegun) begun.reject(error);
      for (const cut of cuts) cut.end(error);
    }
    return heldSince === undefined ? 0 : performance.now() - heldSince;
  }

  #beginCuts(found: FoundState): LockedCut[] {
    const waiting = this.#waiters.filter(({ signal }) => !signal.aborted);
    this.#waiters = waiting.slice(MOST_READS);
    return waiting.slice(0, MOST_READS).map(({ begun }) => {
      const cut = new LockedCut(found);
      begun.resolve(cut);
      return cut;
    });
  }
}

function timeoutError(): Error {
  return new NoCommonStateError('The transactions of the cluster were not held in time.');
}

async function allOver(cuts: readonly LockedCut[], snapshotsMs: number): Promise<void> {
  const late = new AbortController();
  await Promise.race([
    Promise.all(cuts.map(({ isOver }) => isOver)),
    sleep(snapshotsMs, undefined, { signal: late.signal }).catch(() => undefined),
  ]);
  late.abort();
  for (const cut of cuts) cut.close();
}

class LockedCut implements FoundCut {
  readonly found: FoundState;
  readonly #over = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  #isOver = false;

  constructor(found: FoundState) {
    this.found = found;
    // A read that left waits for nothing.
    this.#ended.promise.catch(() => undefined);
  }

  get isOver(): Promise<void> {
    return this.#over.promise;
  }

  /** Delivers only when the locks are known to have held until then. */
  async confirm(own: string | undefined): Promise<void> {
    demandOwn(this.found, own);
    this.leave();
    await this.#ended.promise;
  }

  leave(): void {
    this.#isOver = true;
    this.#over.resolve();
  }

  close(): void {
    if (!this.#isOver)
      this.#ended.reject(new NoCommonStateError('The snapshots of the cluster came late.'));
  }

  /** @param error why the locks cannot be relied on; absent where they can */
  end(error?: unknown): void {
    if (error === undefined) this.#ended.resolve();
    else this.#ended.reject(error);
  }
}
