import { Client } from 'pg';

import { allEnded } from '../../../truth/all-ended.ts';
import { Gate } from '../../../truth/gate.ts';
import type { Random } from '../../../truth/random.ts';
import type { Replies } from '../../../truth/replies.ts';
import { type Changing, changeRows, ROW_WRITERS, RULE_CHANGES } from './changes.ts';
import type { States } from './states.ts';

/** What writers share. */
export interface Writing {
  /** The URL of the server, for its superuser. */
  readonly url: string;
  readonly states: States;
  readonly random: Random;
  readonly replies: Replies;
  readonly signal: AbortSignal;
}

/** After so many commits nobody writes for so many replies, so that some are kept. */
const BURST = 25;
const REST = 100;

/** Changes rows, memberships, policies, functions and rights until the signal. */
export async function write(writing: Writing): Promise<number> {
  const writers = new Writers(writing);
  const rows = Array.from({ length: ROW_WRITERS }, (_, index) => changeRows(index));
  await allEnded([...rows, ...RULE_CHANGES].map((changing) => writers.work(changing)));
  return writers.commits;
}

class Writers {
  commits = 0;
  #rest = Promise.resolve();
  readonly #writing: Writing;
  /** One commit at a time, so that their order is known. */
  readonly #gate = new Gate();

  constructor(writing: Writing) {
    this.#writing = writing;
  }

  async work(changing: Changing): Promise<void> {
    const { url, random, replies, signal } = this.#writing;
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      while (!signal.aborted) {
        await this.#rest;
        await this.#change(client, changing);
        await replies.more(random.integer(0, 20));
      }
    } finally {
      await client.end();
    }
  }

  async #change(client: Client, changing: Changing): Promise<void> {
    const { states, random, replies } = this.#writing;
    const { statements, apply } = changing(states.newest, random);
    await client.query(['begin', ...statements].join(';'));
    if (random.chance(0.1)) {
      await client.query('rollback');
      return;
    }
    await this.#gate.alone(async () => {
      states.begin(apply);
      await client.query('commit');
      states.acknowledge();
      this.commits += 1;
      if (this.commits % BURST === 0) this.#rest = replies.more(REST);
    });
  }
}
