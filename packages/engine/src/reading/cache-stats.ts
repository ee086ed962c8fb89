import { publishMechanism } from '../tracing.ts';

/** What makes replies cheap, by the names that the metrics have. */
export const MECHANISMS = [
  'short_page_proof',
  'total_cache',
  'count_batcher',
  'read_backwards',
  'page_index',
  'followed_total',
  'followed_index',
  'reply_cache',
  'single_flight',
] as const;

export type Mechanism = (typeof MECHANISMS)[number];

/** How often something that makes replies cheap did so. */
export interface CacheStats {
  /** Requests that it made cheap. */
  readonly hits: number;
  /** Requests that it was tried for, and that had to be read otherwise. */
  readonly misses: number;
  /** What it keeps in memory, in bytes, estimated. */
  readonly bytes: number;
}

/** How often a mechanism served. */
export interface MechanismStatistics extends CacheStats {
  readonly mechanism: string;
}

/** Who asks for what is kept for callers of one role of the database alone. */
export interface SessionUse {
  readonly role: string;
  /** Whether it is what the caller's own request has brought, where something is kept. */
  readonly isOwn: boolean;
}

/** How often something that is kept served callers of one role of the database. */
export interface SessionStatistics {
  readonly mechanism: string;
  readonly role: string;
  /** Requests that were answered by what an earlier one of the same caller has brought. */
  readonly hitsOfOwn: number;
  /** Requests that were answered by what another caller with the same values has brought. */
  readonly hitsOfOthers: number;
  readonly misses: number;
}

type SessionCounts = Record<'hitsOfOwn' | 'hitsOfOthers' | 'misses', number>;

/** What callers who read as roles of the database share. */
export interface SharedSessions {
  /** For how many different values of the settings of each role something is kept at the moment. */
  readonly kept: readonly { readonly role: string; readonly values: number }[];
  readonly uses: readonly SessionStatistics[];
}

/** Counts the hits and misses of a mechanism. */
export class HitCounter {
  readonly #mechanism: Mechanism;
  readonly #bytes: (() => number)[];
  readonly #ofRoles = new Map<string, SessionCounts>();
  #hits = 0;
  #misses = 0;

  /** @param bytes reports what the link keeps in memory; default: nothing */
  constructor(mechanism: Mechanism, bytes: () => number = () => 0) {
    this.#mechanism = mechanism;
    this.#bytes = [bytes];
  }

  /** @param use who asks, where callers of other roles or values must not see what is kept */
  count(hit: boolean, use?: SessionUse): void {
    if (hit) this.#hits += 1;
    else this.#misses += 1;
    if (use !== undefined) this.#countUse(hit, use);
    publishMechanism(this.#mechanism, hit);
  }

  /** Adds what another link keeps in memory. */
  addBytes(bytes: () => number): this {
    this.#bytes.push(bytes);
    return this;
  }

  get sessions(): SessionStatistics[] {
    const mechanism = this.#mechanism;
    return [...this.#ofRoles].map(([role, counts]) => ({ mechanism, role, ...counts }));
  }

  #countUse(hit: boolean, { role, isOwn }: SessionUse): void {
    const counts = this.#ofRoles.get(role) ?? { hitsOfOwn: 0, hitsOfOthers: 0, misses: 0 };
    this.#ofRoles.set(role, counts);
    const ofHit = isOwn ? 'hitsOfOwn' : 'hitsOfOthers';
    counts[hit ? ofHit : 'misses'] += 1;
  }

  get stats(): CacheStats {
    const bytes = this.#bytes.reduce((sum, bytesOf) => sum + bytesOf(), 0);
    return { hits: this.#hits, misses: this.#misses, bytes };
  }
}

const NEVER_USED: CacheStats = { hits: 0, misses: 0, bytes: 0 };

/**
 * The counters of what reads from one server or from several. A mechanism that is switched off has
 * none, and is reported as unused.
 */
export class MechanismCounters {
  readonly #counters = new Map<Mechanism, HitCounter>();

  /** The counter of a mechanism, which all links of it share. */
  create(mechanism: Mechanism, bytes: () => number = () => 0): HitCounter {
    const known = this.#counters.get(mechanism);
    if (known !== undefined) return known.addBytes(bytes);
    const counter = new HitCounter(mechanism, bytes);
    this.#counters.set(mechanism, counter);
    return counter;
  }

  /** What those did that count who asks. */
  get sessions(): SessionStatistics[] {
    return [...this.#counters.values()].flatMap(({ sessions }) => sessions);
  }

  get statistics(): MechanismStatistics[] {
    return MECHANISMS.map((mechanism) => ({
      mechanism,
      ...(this.#counters.get(mechanism)?.stats ?? NEVER_USED),
    }));
  }
}
