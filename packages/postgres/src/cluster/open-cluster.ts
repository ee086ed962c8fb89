import { Deadlines, type Pools, type ReadCall, type Source } from '@proj/engine/database';

import { Database } from '../connection/database.ts';
import type { Cluster, Cut } from '../connection/distribution.ts';
import { NoCommonStateError } from '../connection/errors.ts';
import type { ClusterFacts } from '../introspection/distributed-relations.ts';
import { type ClusterAccess, ClusterServers, type ServerStates } from './cluster-servers.ts';
import {
  demandOwn,
  type FoundCut,
  type FoundState,
  isSame,
  RESOLVE,
  ValidatedCuts,
  versionOf,
} from './common-state.ts';
import { BOUNDS, LockedCuts } from './locked-cuts.ts';
import { Connector, type SessionRules } from '../connection/connect.ts';
import { readPostgresUrl } from '../connection/url.ts';

/** Attempts in a row without a state, after which writers are held. */
const MOST_MISSES = 5;

/** Milliseconds in which writers are held, before reads try again without. */
const LOCKED_MS = 5000;

const OPERATORS_CHECK = { timeoutMs: 3000 };

const STARVING =
  'Under many writers models on several servers are 503 no_common_state, since the role may not ' +
  'hold their transactions.';

const LEFT =
  'Models on several servers are 503 no_common_state, since transactions were left prepared.';

/**
 * Needs no right: each server checks its own snapshot. Busy writers leave few common states; given
 * the right, it holds their transactions for a moment.
 */
export class CitusCluster implements Cluster {
  readonly #servers: ClusterServers;
  readonly #cut: ClusterAccess['cut'];
  readonly #starvingMs: number;
  readonly #validated: ValidatedCuts;
  readonly #locked: LockedCuts;
  readonly #counts = { validated: { found: 0, missed: 0 }, locked: { found: 0, missed: 0 } };
  #obstacles: readonly string[] = [];
  #misses = 0;
  #missedFirst = 0;
  #lockedUntil = 0;

  constructor(own: Database, access: ClusterAccess) {
    this.#servers = new ClusterServers(own, access);
    this.#cut = access.cut;
    this.#starvingMs = (access.bounds ?? BOUNDS).starvingMs;
    this.#validated = new ValidatedCuts(this.#servers);
    this.#locked = new LockedCuts(this.#servers, access);
  }

  get counts(): NonNullable<Source['cuts']> | undefined {
    return this.#servers.hasTables ? this.#counts : undefined;
  }

  /** @returns a sentence why no common state can be read; undefined where one can */
  async learn(facts: ClusterFacts): Promise<string | undefined> {
    const unreachable = await this.#servers.learn(facts);
    if (unreachable !== undefined || this.#cut === 'validated') return unreachable;
    const missing = Deadlines.withDeadline(OPERATORS_CHECK, (call) =>
      this.#servers.missingRights(call),
    );
    // Unknown at the moment: keep the last ones.
    this.#obstacles = await missing.catch(() => this.#obstacles);
    if (this.#cut === 'auto' || this.#obstacles.length === 0) return undefined;
    return `cluster.cut: locked needs a right. ${this.#obstacles.join(' ')}`;
  }

  async warnings(): Promise<string[]> {
    if (!this.#servers.hasTables) return [];
    const asked = Deadlines.withDeadline(OPERATORS_CHECK, (call) =>
      this.#servers.leftPrepared(call),
    );
    // Servers that do not answer are named where their models are left out.
    const left = await asked.catch((): string[] => []);
    return [
      ...(this.#obstacles.length === 0 ? [] : [`${STARVING} ${this.#obstacles.join(' ')}`]),
      ...(left.length === 0 ? [] : [`${LEFT} ${left.join(' ')} ${RESOLVE}`]),
    ];
  }

  async lookForCut(call: ReadCall, isQuick = false): Promise<Cut> {
    const last = this.#validated;
    if (isQuick && last.state !== undefined && !last.lasts) await this.#look(call);
    if (isQuick && last.state !== undefined) return this.#knownCut(last.state, call);
    const mayLock = performance.now() < this.#lockedUntil && !this.#locked.isPausing;
    const isLocked = this.#cut === 'locked' || mayLock;
    const count = isLocked ? this.#counts.locked : this.#counts.validated;
    const ended = (isFound: boolean): void => {
      count[isFound ? 'found' : 'missed'] += 1;
      if (isLocked && !isFound) this.#lockedUntil = 0;
      if (!isLocked) this.#learnFrom(isFound);
    };
    return this.#newCut((isLocked ? this.#locked : this.#validated).join(call), ended);
  }

  /** Of the data after the call; undefined while transactions are prepared. */
  async currentVersion(call: ReadCall): Promise<string | undefined> {
    const seen = await this.#look(call);
    return seen.prepared.length > 0 ? undefined : versionOf(seen);
  }

  async close(): Promise<void> {
    await this.#servers.close();
  }

  async #look(call: ReadCall): Promise<ServerStates> {
    const seen = await this.#servers.look(call);
    this.#validated.see(seen);
    return seen;
  }

  #knownCut(known: FoundState, call: ReadCall): Cut {
    return {
      isKnown: true,
      states: known.states,
      confirm: async (own) => demandOwn(known, own),
      end: async () => {
        const isStill = isSame(await this.#look(call), known);
        this.#counts.validated[isStill ? 'found' : 'missed'] += 1;
        if (!isStill) throw new NoCommonStateError('The cluster was written to while it was read.');
        return versionOf(known);
      },
      leave: () => undefined,
    };
  }

  /** Each server will find whether its snapshot is of the state. */
  async #newCut(found: Promise<FoundCut>, ended: (isFound: boolean) => void): Promise<Cut> {
    const note = (error: unknown): void => {
      if (error instanceof NoCommonStateError) ended(false);
    };
    const cut = await found.catch((error: unknown) => {
      note(error);
      throw error;
    });
    return {
      isKnown: false,
      states: cut.found.states,
      confirm: async (own) => {
        await cut.confirm(own);
        ended(true);
      },
      end: async () => {
        this.#validated.learn(cut.found);
        return versionOf(cut.found);
      },
      leave: (error) => {
        note(error);
        cut.leave(error);
      },
    };
  }

  #learnFrom(isFound: boolean): void {
    const now = performance.now();
    if (this.#misses === 0) this.#missedFirst = now;
    this.#misses = isFound ? 0 : this.#misses + 1;
    const isStarving = this.#misses >= MOST_MISSES && now - this.#missedFirst >= this.#starvingMs;
    if (!isStarving || this.#cut !== 'auto' || this.#obstacles.length > 0) return;
    this.#misses = 0;
    this.#lockedUntil = now + LOCKED_MS;
  }
}

export interface ClusterTerms extends Omit<ClusterAccess, 'open'> {
  /** Of one server; the others differ in their address only. */
  readonly url: string;
  readonly sessionRules: SessionRules;
  readonly limits: Pools.PoolLimits;
}

/** @param own connections to the server that is read, which no read of a cut waits for */
export function openCluster(
  own: Database,
  { url, sessionRules, limits, ...access }: ClusterTerms,
): CitusCluster {
  return new CitusCluster(own, {
    ...access,
    open: (address, versions) => {
      const other = new URL(url);
      other.host = address;
      const connector = new Connector(readPostgresUrl(other.href), sessionRules);
      return Database.open(connector, limits, versions);
    },
  });
}
