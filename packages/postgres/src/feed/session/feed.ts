import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { FeedStatus, FeedWatch } from '@proj/engine/following';
import type { ClientConfig } from 'pg';

import { proveServer } from '../../connection/server-proof.ts';
import { type Address, withoutTls } from '../../connection/url.ts';
import type { CommandConnection } from '../protocol/commands.ts';
import { FeedConnections } from '../protocol/replication.ts';
import { publicationState } from '../relations/stamp.ts';
import {
  type FeedBounds,
  FeedSession,
  inTime,
  type FeedTerms,
  type FilteredTerms,
  NO_FIGURES,
} from './feed-session.ts';
import {
  feedFactsOf,
  feedRequirements,
  measurementOf,
  measurementStatement,
  type ServerFacts,
} from '../setup/requirements.ts';
import { FeedStoppedError, refusalOf } from '../setup/server-obstacles.ts';

/** Catching up with half a gigabyte takes minutes; a new slot has no lag. */
const BOUNDS: FeedBounds = {
  lagBytes: 2 ** 29,
  heldBackBytes: 2 ** 30,
  startMs: 30_000,
  openMs: 60_000,
};

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;

export interface FeedSettings {
  readonly address: Address;
  readonly publication: string;
  readonly bounds?: FeedBounds | undefined;
  /** Default: filtered lists are not followed. */
  readonly filtered?: FilteredTerms | undefined;
}

/** Follows a server from the first read on; begins anew after failures. */
export class ChangeFeed implements FeedWatch {
  readonly #settings: FeedSettings;
  #client: ClientConfig;
  readonly #closing = new AbortController();
  readonly #counters = { waits: 0, lateWaits: 0, waitMs: 0, nudges: 0, recounts: 0 };
  readonly #listeners = new Set<(status: FeedStatus) => void>();
  #isStarted = false;
  #session: FeedSession | undefined;
  #began = 0;
  #stopped: FeedStoppedError | undefined;
  #transactions = 0;
  readonly #drops = new Map<string, number>();
  #pauseMs = FIRST_PAUSE_MS;

  constructor(settings: FeedSettings) {
    this.#settings = settings;
    this.#client = settings.address.client;
  }

  onChange(listener: (status: FeedStatus) => void): void {
    this.#listeners.add(listener);
  }

  get status(): FeedStatus {
    const session = this.#session;
    const figures = session?.figures ?? NO_FIGURES;
    const notFollowing = this.#stopped === undefined ? 'starting' : 'stopped';
    const { waitMs, ...counters } = this.#counters;
    return {
      state: session === undefined ? notFollowing : 'following',
      reason: this.#stopped?.reason,
      message: this.#stopped?.message,
      ...figures,
      transactions: this.#transactions + figures.transactions,
      ...counters,
      waitSeconds: waitMs / 1000,
      drops: new Map(this.#drops),
    };
  }

  start(): FeedSession | undefined {
    if (!this.#isStarted) void this.#run();
    return this.#session;
  }

  close(): void {
    this.#closing.abort();
  }

  async #run(): Promise<void> {
    this.#isStarted = true;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const error = await this.#follow().catch((reason: unknown) => reason);
      if (signal.aborted) return;
      const plain = withoutTls(this.#client, this.#settings.address, error);
      this.#client = plain ?? this.#client;
      if (plain !== undefined) continue;
      this.#stop(stopOf(error));
      const pause = this.#pauseMs * (0.5 + Math.random());
      this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
      await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #follow(): Promise<never> {
    const { signal } = this.#closing;
    const { publication, bounds = BOUNDS, filtered } = this.#settings;
    const connections = new FeedConnections(this.#client);
    const close = (): void => connections.close();
    signal.addEventListener('abort', close);
    try {
      const terms = { publication, bounds, counters: this.#counters, filtered };
      // A silent proxy or server must not keep the feed from retrying.
      const session = await inTime(bounds.openMs, openSession(connections, terms), {
        reason: 'connection',
        message: `the server let nobody follow it for ${bounds.openMs} ms`,
      });
      return await session.follow(() => this.#begin(session));
    } finally {
      signal.removeEventListener('abort', close);
      close();
    }
  }

  #begin(session: FeedSession): void {
    this.#session = session;
    this.#began = performance.now();
    this.#stopped = undefined;
    this.#notify();
  }

  #stop(error: FeedStoppedError): void {
    const session = this.#session;
    const isNews = session !== undefined || this.#stopped?.reason !== error.reason;
    this.#transactions += session?.figures.transactions ?? 0;
    if (session !== undefined) {
      this.#drops.set(error.reason, (this.#drops.get(error.reason) ?? 0) + 1);
      if (performance.now() - this.#began > LONGEST_PAUSE_MS) this.#pauseMs = FIRST_PAUSE_MS;
    }
    this.#session = undefined;
    this.#stopped = error;
    if (isNews) this.#notify();
  }

  #notify(): void {
    const { status } = this;
    for (const listener of this.#listeners) listener(status);
  }
}

function stopOf(error: unknown): FeedStoppedError {
  if (error instanceof FeedStoppedError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new FeedStoppedError('connection', message, { cause: error });
}

/**
 * Waits for all transactions that write now.
 *
 * @throws {FeedStoppedError} where changes cannot be followed
 */
async function openSession(connections: FeedConnections, terms: FeedTerms): Promise<FeedSession> {
  const { commands, replication } = connections;
  await commands.connect();
  const server = await checkServer(commands, terms.publication);
  const [state] = await commands.ask(publicationState(terms.publication, server.version));
  await replication.connect();
  const slot = `dynamic_query_${randomBytes(8).toString('hex')}`;
  const { startMs } = terms.bounds;
  await inTime(startMs, replication.createSlot(slot), {
    reason: 'open_transactions',
    message:
      `transactions that write were open for longer than ${startMs} ms, ` +
      'which a slot waits for',
  });
  const { sender } = measurementOf(await commands.ask(measurementStatement(slot)));
  if (sender !== replication.processId)
    throw new FeedStoppedError('two_servers', 'its connections led to different servers');
  return new FeedSession(connections, terms, { server, slot, publicationState: state ?? '' });
}

async function checkServer(commands: CommandConnection, publication: string): Promise<ServerFacts> {
  const { gap } = await proveServer((statement) => commands.ask(statement));
  if (gap !== undefined) throw new FeedStoppedError('unproven_server', gap);
  const facts = feedFactsOf(await commands.ask(feedRequirements(publication, [])));
  const refusal = refusalOf(facts);
  if (refusal !== undefined) throw refusal;
  if (facts.server.backend !== commands.processId)
    throw new FeedStoppedError('pooler', 'a pooler is before the server; set follow.url');
  return facts.server;
}
