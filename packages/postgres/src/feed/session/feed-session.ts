import { setTimeout as sleep } from 'node:timers/promises';

import { Deadlines, type RelationPath, type Statement } from '@proj/engine/database';
import type { Condition, FeedStatus, FollowedStates } from '@proj/engine/following';

import {
  type FeedMeasurement,
  measurementOf,
  measurementStatement,
  type ServerFacts,
} from '../setup/requirements.ts';
import { FeedStoppedError } from '../setup/server-obstacles.ts';
import {
  type FollowedRelation,
  FollowedRelations,
  type FollowTerms,
} from '../relations/followed-relations.ts';
import type { FollowedRows } from '../relations/stamp.ts';
import { lastRecordEnd, type Lsn, parseLsn } from '../../log/lsn.ts';
import { isLogged, OrderedLists } from '../lists/ordered-lists.ts';
import { FilteredLists, type FilteredListsParts } from '../lists/filtered-lists.ts';
import { FeedPosition, type WaitCounters } from './position.ts';
import type { FeedConnections } from '../protocol/replication.ts';
import { TransactionReader } from '../changes/transactions.ts';

export interface FeedBounds {
  /** Its distance behind the server, in bytes of log. */
  readonly lagBytes: number;
  /** Log that the server may keep for it, in bytes. */
  readonly heldBackBytes: number;
  /** Milliseconds to create its slot, from whose beginning the server keeps its log. */
  readonly startMs: number;
  /** Milliseconds to connect and create the slot. */
  readonly openMs: number;
}

export type FilteredTerms = Pick<FilteredListsParts, 'bases' | 'dialect' | 'heldMs'>;

export interface FeedTerms {
  readonly publication: string;
  readonly bounds: FeedBounds;
  readonly counters: WaitCounters & FilteredListsParts['counters'];
  readonly filtered: FilteredTerms | undefined;
}

/** What a session adds to the feed's status. */
export const NO_FIGURES = {
  lagBytes: 0,
  lagSeconds: 0,
  heldBackBytes: 0,
  memoryBytes: 0,
  relations: 0,
  transactions: 0,
  snapshotSeconds: 0,
  snapshotRows: 0,
} satisfies Partial<FeedStatus>;

export interface FeedPlace extends Pick<FollowTerms, 'publicationState'> {
  readonly server: ServerFacts;
  readonly slot: string;
}

/** A commit flushes the log up to itself; this one writes no table. */
const NUDGE: Statement = {
  sql: `select pg_logical_emit_message(true, 'dynamic_query', '')::text`,
  parameters: [],
};

const MEASURE_MS = 1000;

/** In milliseconds; then a silent server is taken for lost. */
const SILENCE_MS = 15_000;

/** Follows a server with one slot, from its creation until the connection ends. */
export class FeedSession {
  readonly ordered = new OrderedLists();
  readonly filtered: FilteredLists | undefined;
  readonly #connections: FeedConnections;
  readonly #terms: FeedTerms;
  readonly #place: FeedPlace;
  readonly #position: FeedPosition;
  readonly #relations: FollowedRelations;
  readonly #transactions: TransactionReader;
  readonly #closing = new AbortController();
  readonly #otherPublication = Promise.withResolvers<never>();
  #lagBytes = 0;
  /** A past position of the server's log, to compute how long the feed has been behind. */
  #goal = { position: 0n, at: 0 };
  #heldBackBytes = 0;

  constructor(connections: FeedConnections, terms: FeedTerms, place: FeedPlace) {
    const { commands, replication } = connections;
    const { counters, publication } = terms;
    this.#connections = connections;
    this.#terms = terms;
    this.#place = place;
    const nudge = async (): Promise<Lsn> => parseLsn((await commands.ask(NUDGE))[0] ?? '');
    this.#position = new FeedPosition(replication.position, { nudge, counters });
    this.#relations = new FollowedRelations({
      ...place,
      commands,
      publication,
      onOtherPublication: () =>
        this.#otherPublication.reject(
          new FeedStoppedError('publication_changed', 'the publication was changed'),
        ),
      onChange: () => this.#transactions.relationsChanged(),
    });
    this.#transactions = new TransactionReader(this.#relations, BigInt(place.server.xid));
    if (terms.filtered !== undefined)
      this.filtered = new FilteredLists({
        ...terms.filtered,
        counters,
        ordered: this.ordered,
        open: () => connections.openHolder(),
        askNow: (statement) => commands.ask(statement),
        reach: (insertLsn) => this.reach(insertLsn),
        logs: () => this.relations.map(({ log }) => log),
      });
  }

  get relations(): readonly FollowedRelation[] {
    return this.#relations.all();
  }

  get figures(): typeof NO_FIGURES {
    const { relations } = this;
    const { position, at } = this.#goal;
    const isBehind = this.#position.reached < position;
    return {
      lagBytes: this.#lagBytes,
      lagSeconds: isBehind ? (performance.now() - at) / 1000 : 0,
      heldBackBytes: this.#heldBackBytes,
      memoryBytes: relations.reduce((sum, { log }) => sum + log.bytes, this.ordered.bytes),
      relations: relations.length,
      transactions: this.#transactions.transactions,
      snapshotSeconds: this.filtered?.heldSeconds ?? 0,
      snapshotRows: this.filtered?.keys ?? 0,
    };
  }

  /**
   * Calls `onFollowing` when the server begins to send changes.
   *
   * @throws {FeedStoppedError} with the reason why it ended
   */
  async follow(onFollowing: () => void): Promise<never> {
    const { commands, replication } = this.#connections;
    const { slot, server } = this.#place;
    const followed = { publication: this.#terms.publication, serverVersion: server.version };
    const started = replication.start(slot, followed, {
      onMessage: (message) => this.#transactions.read(message),
      onPosition: (position) => this.#position.advance(position),
    });
    await answered(started);
    onFollowing();
    try {
      const lost = Promise.race([commands.ended, replication.ended]).then((error) => {
        throw new FeedStoppedError('connection', error.message, { cause: error });
      });
      return await Promise.race([lost, this.#otherPublication.promise, this.#measureForever()]);
    } finally {
      this.#closing.abort();
      this.#position.close();
    }
  }

  hasTotal(rows: FollowedRows, condition: Condition | undefined): boolean {
    const followed = this.followed(rows);
    if (isLogged(rows, { condition })) return followed?.log.hasTotal ?? false;
    const token = followed?.tokenOf(rows.shown);
    return token !== undefined && this.filtered?.hasTotal(token, condition) === true;
  }

  async states(
    rows: FollowedRows,
    conditions: readonly (Condition | undefined)[],
  ): Promise<FollowedStates | undefined> {
    const followed = this.followed(rows);
    const token = followed?.tokenOf(rows.shown);
    const found = token === undefined ? undefined : await this.filtered?.states(token, conditions);
    if (followed === undefined || found === undefined) return undefined;
    const { snapshot, ...states } = found;
    return { ...states, version: followed.version(snapshot) };
  }

  /** If undefined, begins to follow the relation. */
  followed({ relation, shown }: FollowedRows): FollowedRelation | undefined {
    const followed = this.#relations.get(relation);
    return followed?.isShownAs(shown) === true ? followed : undefined;
  }

  /** False after `giveUpMs` milliseconds. Default: a fraction of what a count takes. */
  reach(insertLsn: Lsn, giveUpMs?: number): Promise<boolean> {
    return this.#position.reach(this.#recordEnd(insertLsn), giveUpMs);
  }

  look(relation: RelationPath): void {
    this.#relations.look(relation);
  }

  #recordEnd(insertLsn: Lsn): Lsn {
    return lastRecordEnd(insertLsn, this.#place.server);
  }

  async #measureForever(): Promise<never> {
    const { signal } = this.#closing;
    for (;;) {
      await sleep(MEASURE_MS, undefined, { signal, ref: false });
      await this.#measure();
    }
  }

  /** Measures the lag. Also a read of each relation, so that changes fold without callers. */
  async #measure(): Promise<void> {
    const reads = this.relations.map(({ log }) => ({ log, end: log.beginRead() }));
    try {
      const statement = measurementStatement(this.#place.slot);
      const row = await answered(this.#connections.commands.ask(statement));
      const measurement = measurementOf(row);
      this.#check(measurement);
      const { snapshot, insertLsn } = measurement;
      const isReached = await this.reach(insertLsn);
      if (isReached) for (const { log } of reads) log.noteSnapshot(snapshot);
      this.filtered?.tick(isReached ? snapshot : undefined);
    } finally {
      for (const { end } of reads) end();
    }
  }

  #check({ instance, insertLsn, heldBackBytes }: FeedMeasurement): void {
    const { bounds } = this.#terms;
    if (heldBackBytes === undefined)
      throw new FeedStoppedError('connection', 'the server has given up its slot');
    this.#lagBytes = Number(insertLsn - this.#position.reached);
    this.#heldBackBytes = heldBackBytes;
    if (this.#position.reached >= this.#goal.position)
      this.#goal = { position: this.#recordEnd(insertLsn), at: performance.now() };
    if (instance !== this.#place.server.instance)
      throw new FeedStoppedError('server_changed', 'the server has started anew');
    if (this.#lagBytes > bounds.lagBytes)
      throw new FeedStoppedError('behind', `it was ${this.#lagBytes} bytes of the log behind`);
    if (heldBackBytes > bounds.heldBackBytes)
      throw new FeedStoppedError('held_back', `the server kept ${heldBackBytes} bytes of its log`);
  }
}

function answered<Value>(asked: Promise<Value>): Promise<Value> {
  return inTime(SILENCE_MS, asked, { reason: 'connection', message: 'the server gave no answer' });
}

export function inTime<Value>(
  timeoutMs: number,
  asked: Promise<Value>,
  { reason, message }: Pick<FeedStoppedError, 'reason' | 'message'>,
): Promise<Value> {
  const timeoutError = (): Error => new FeedStoppedError(reason, message);
  return Deadlines.withDeadline({ timeoutMs, timeoutError }, ({ signal }) =>
    Deadlines.waitOrAbort(asked, signal),
  );
}
