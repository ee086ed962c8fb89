import { setTimeout as sleep } from 'node:timers/promises';

import { type Engine, QueryFailedError } from '@proj/engine';

import type { NamedEngine } from './served-databases.ts';

/** Wait for other databases once one has answered, in milliseconds: shorter than a probe's. */
const OTHERS_MS = 500;

export type DatabaseState = 'answers' | 'away';

export class DatabasesHealth {
  readonly #each: () => readonly NamedEngine[];
  /** Shares pings: a frozen database is not asked twice at once. */
  readonly #pings = new Map<Engine, Promise<boolean>>();

  constructor(each: () => readonly NamedEngine[]) {
    this.#each = each;
  }

  /** By name. A database that takes much longer than another is away. */
  async look(): Promise<ReadonlyMap<string, DatabaseState>> {
    const states = new Map<string, DatabaseState>();
    const stop = new AbortController();
    const looks = this.#each().map(async ({ name = '', engine }) => {
      states.set(name, 'away');
      if (await this.#ping(engine)) states.set(name, 'answers');
      else throw new Error('It is away.');
    });
    const first = Promise.any(looks).then(() =>
      sleep(OTHERS_MS, undefined, { signal: stop.signal }),
    );
    await Promise.race([Promise.allSettled(looks), first]).catch(() => undefined);
    stop.abort();
    return new Map(states);
  }

  #ping(engine: Engine): Promise<boolean> {
    const pinging =
      this.#pings.get(engine) ??
      answers(engine).finally(() => {
        this.#pings.delete(engine);
      });
    this.#pings.set(engine, pinging);
    return pinging;
  }
}

/** A busy database answers: balancers would otherwise move its load to the others. */
async function answers(engine: Engine): Promise<boolean> {
  try {
    await engine.ping();
    return true;
  } catch (error) {
    return error instanceof QueryFailedError && error.code === 'overloaded';
  }
}
