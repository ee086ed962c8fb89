import { hash } from 'node:crypto';

import { publishMechanism } from '../tracing.ts';
import { type DatabaseSession, sessionShape } from '../catalogue/database-session.ts';
import type { KeptFor } from '../cache-store.ts';
import { firstCaller } from '../sources/read-call.ts';
import type { ReadCall } from '../sources/source.ts';

/** Named as in the metrics. */
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

export interface MechanismStatistics {
  readonly mechanism: string;
  readonly hits: number;
  /** Requests it was tried for, but which had to be read. */
  readonly misses: number;
  readonly bytes: number;
}

interface SessionUse {
  readonly role: string;
  readonly isOwn: boolean;
}

export interface SessionStatistics {
  readonly mechanism: string;
  readonly role: string;
  /** Hits on what the same caller's earlier request brought. */
  readonly hitsOfOwn: number;
  /** Hits on what another caller with the same settings brought. */
  readonly hitsOfOthers: number;
  readonly misses: number;
}

/** What callers share who read as database roles. */
export interface SharedSessions {
  /** How many different settings values of each role have something kept. */
  readonly kept: readonly { readonly role: string; readonly values: number }[];
  readonly uses: readonly SessionStatistics[];
}

export class HitCounter {
  readonly #mechanism: Mechanism;
  /** Of the memory of each of its links. */
  readonly bytes: (() => number)[] = [];
  readonly #ofRoles = new Map<string, Record<'hitsOfOwn' | 'hitsOfOthers' | 'misses', number>>();
  #hits = 0;
  #misses = 0;

  constructor(mechanism: Mechanism) {
    this.#mechanism = mechanism;
  }

  /** @param use who asks, where callers of other roles or values must not share */
  count(hit: boolean, use?: SessionUse): void {
    if (hit) this.#hits += 1;
    else this.#misses += 1;
    publishMechanism(this.#mechanism, hit);
    if (use === undefined) return;
    const { role, isOwn } = use;
    const counts = this.#ofRoles.get(role) ?? { hitsOfOwn: 0, hitsOfOthers: 0, misses: 0 };
    this.#ofRoles.set(role, counts);
    const ofHit = isOwn ? 'hitsOfOwn' : 'hitsOfOthers';
    counts[hit ? ofHit : 'misses'] += 1;
  }

  get sessions(): SessionStatistics[] {
    const mechanism = this.#mechanism;
    return [...this.#ofRoles].map(([role, counts]) => ({ mechanism, role, ...counts }));
  }

  get statistics(): MechanismStatistics {
    const bytes = this.bytes.reduce((sum, bytesOf) => sum + bytesOf(), 0);
    return { mechanism: this.#mechanism, hits: this.#hits, misses: this.#misses, bytes };
  }
}

/** Of one server or several. A mechanism that is off has none, and is reported as unused. */
export class MechanismCounters {
  readonly #counters = new Map<Mechanism, HitCounter>();

  create(mechanism: Mechanism, bytes: () => number = () => 0): HitCounter {
    const counter = this.#counters.get(mechanism) ?? new HitCounter(mechanism);
    this.#counters.set(mechanism, counter);
    counter.bytes.push(bytes);
    return counter;
  }

  get sessions(): SessionStatistics[] {
    return [...this.#counters.values()].flatMap(({ sessions }) => sessions);
  }

  get statistics(): MechanismStatistics[] {
    return MECHANISMS.map(
      (mechanism) => (this.#counters.get(mechanism) ?? new HitCounter(mechanism)).statistics,
    );
  }
}

/** Undefined for what all callers may be shown. */
export function keptFor(session: DatabaseSession | undefined): KeptFor | undefined {
  if (session === undefined) return undefined;
  const values = hash('sha256', JSON.stringify(sessionShape(session)), 'base64url');
  return { role: session.role, values };
}

/** @param foundFor whose request brought what is kept */
export function useOf(
  session: DatabaseSession | undefined,
  foundFor: string | undefined,
  call: Pick<ReadCall, 'callers'>,
): SessionUse | undefined {
  return session && { role: session.role, isOwn: foundFor === firstCaller(call) };
}
