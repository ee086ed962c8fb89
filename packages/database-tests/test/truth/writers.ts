import { setImmediate } from 'node:timers/promises';

import { allEnded } from './all-ended.ts';
import { Gate } from './gate.ts';
import type { Replies } from './replies.ts';
import type { WriteConnection } from './store.ts';
import type { Transaction } from './transaction.ts';
import { anyEdits, anyUpheaval, type Making, type Upheaval } from './transactions.ts';

/** When writers write. */
export interface Pace {
  readonly name: string;
  /** How many transactions follow each other at once. */
  readonly burst: number;
  /** For how many replies nobody writes after them, where each writer takes its turn. */
  readonly rest: number;
  /** Which large changes come beside small ones. Default: all. */
  readonly upheavals?: readonly [Upheaval, ...Upheaval[]];
}

/** What writers share. */
export interface Writing extends Making {
  readonly url: string;
  readonly pace: Pace;
  readonly replies: Replies;
  readonly signal: AbortSignal;
}

/**
 * So many replies come between two large changes at least: these take long, and meanwhile nothing
 * else is written.
 */
const UPHEAVAL_EVERY = 50;

/**
 * Writes at the pace until the signal, and gives the number of commits. Nobody's transaction waits
 * for another's rows.
 */
export async function write(writing: Writing): Promise<number> {
  const writers = new Writers(writing);
  const before = writing.history.newest;
  await writers.run();
  return writing.history.newest - before;
}

class Writers {
  readonly #writing: Writing;
  readonly #gate = new Gate();
  /** One commit at a time, so that their order is known. */
  readonly #commits = new Gate();
  #nextUpheaval = 0;

  constructor(writing: Writing) {
    this.#writing = writing;
  }

  async run(): Promise<void> {
    const { writers } = this.#writing.store;
    await allEnded(Array.from({ length: writers }, (_, index) => this.#work(index)));
  }

  async #work(index: number): Promise<void> {
    const { url, store, pace, replies, signal } = this.#writing;
    const connection = await store.connect(url);
    try {
      let due = replies.count;
      for (let count = 1; !signal.aborted; count++) {
        await this.#writeOnce(connection, index);
        if (count % pace.burst === 0) due += pace.rest * store.writers;
        // Who is late goes on at once, and does not make up for what was missed.
        due = Math.max(due, replies.count);
        await replies.reach(due);
        // Writes that are done without waiting must not keep readers from their turn.
        await setImmediate();
      }
    } finally {
      await connection.close();
    }
  }

  async #writeOnce(connection: WriteConnection, index: number): Promise<void> {
    const { random, replies, store } = this.#writing;
    if (random.chance(0.2) && replies.count >= this.#nextUpheaval) {
      await this.#gate.alone(() => this.#upheave(connection));
      this.#nextUpheaval = replies.count + UPHEAVAL_EVERY;
      return;
    }
    const share = { remainder: index, of: store.writers };
    await this.#gate.together(() => {
      const transaction = anyEdits(this.#writing, share);
      return random.chance(0.1)
        ? rollBack(connection, transaction)
        : this.#commit(connection, transaction);
    });
  }

  async #upheave(connection: WriteConnection): Promise<void> {
    const { upheavals } = this.#writing.pace;
    for (const transaction of anyUpheaval(this.#writing, upheavals))
      await this.#commit(connection, transaction);
  }

  async #commit(
    connection: WriteConnection,
    { statements, closing, edits }: Transaction,
  ): Promise<void> {
    const { history } = this.#writing;
    await connection.run(['begin', ...statements].join(';'));
    await this.#commits.alone(async () => {
      history.begin(edits);
      await connection.run(closing);
      history.acknowledge();
    });
  }
}

/** Nobody may ever see what such a transaction did. */
async function rollBack(connection: WriteConnection, { statements }: Transaction): Promise<void> {
  await connection.run(['begin', ...statements].join(';'));
  await connection.run('rollback');
}
