import { type Answer, type Engine, EVERYTHING } from '@proj/engine';
import { until } from '@proj/test-servers';

import { QueryFailedError } from '../../../engine/src/errors.ts';
import { facetsBody, type FacetsReply } from '../databases/checked-facets.ts';

/** A table to which one writer adds records by number: whoever sees n of them sees the first n. */
export const LEDGER = 'create table ledger (id int primary key, word varchar(9) not null)';

/** How many of the records were committed, and when that was known. */
export class Ledger {
  readonly #committedAt: number[] = [];

  /** How many records were committed. */
  get length(): number {
    return this.#committedAt.length;
  }

  /** Notes that the next record was committed. */
  noteCommit(): void {
    this.#committedAt.push(performance.now());
  }

  /** How many records everybody could see at a moment. */
  lengthAt(moment: number): number {
    return this.#committedAt.findLastIndex((at) => at <= moment) + 1;
  }
}

/** What a reply showed of the ledger. */
export interface Sight {
  readonly total: number;
  readonly isPrimary: boolean;
  readonly ageMs: number;
  readonly position: string;
}

let lists = 0;

/** Asks for a list that nobody has asked for, so that nothing is known of what it costs. */
export async function look(
  engine: Engine,
  { caller, atLeast }: { readonly caller: string; readonly atLeast?: string },
): Promise<Sight & { readonly lastId: number }> {
  lists += 1;
  const body = {
    query_model: 'ledger',
    query_attributes: ['id'],
    query_filter: { attribute: 'id', op: 'gt', value: -lists },
    query_sort: [{ attribute: 'id', direction: 'desc' }],
    page: { page: 1, size: 1 },
  };
  const answer = await engine.query(body, EVERYTHING, { caller, replicas: { atLeast } });
  return { ...stateOf(answer), lastId: lastIdOf(answer), total: Number(answer.page.total) };
}

/** The same by facets, of which the greatest number is that of the last record. */
async function lookByFacets(
  engine: Engine,
  { caller, atLeast }: { readonly caller: string; readonly atLeast?: string },
): Promise<Sight & { readonly lastId: number }> {
  lists += 1;
  const body = facetsBody({
    model: 'ledger',
    facets: [
      { attribute: 'id', bins: 3 },
      { attribute: 'word', values: 1 },
    ],
    filter: { attribute: 'id', op: 'gt', value: -lists },
  });
  const answer = await engine.facets(body, EVERYTHING, { caller, replicas: { atLeast } });
  const { facets, total } = JSON.parse(answer.json) as FacetsReply;
  return { ...stateOf(answer), lastId: Number(facets[0]?.max), total: Number(total) };
}

/** What is wrong with what callers were shown, in words; and who answered how often. */
export class LedgerReport {
  readonly wrong: string[] = [];
  fromPrimary = 0;
  fromReplica = 0;
  facetsFromReplica = 0;
  readonly #ledger: Ledger;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** How often was asked. */
  get looks(): number {
    return this.fromPrimary + this.fromReplica;
  }

  /** Asks again and again until the signal aborts, each time after the next commit. */
  async follow(engine: Engine, caller: string, signal: AbortSignal): Promise<void> {
    let seen = 0;
    while (!signal.aborted) {
      const { length } = this.#ledger;
      // A busy machine answers some of those who ask at the same time with a refusal.
      seen = await this.lookOnce(engine, caller, seen).catch((error: unknown) => {
        if (error instanceof QueryFailedError && error.code === 'overloaded') return seen;
        throw error;
      });
      await until(() => signal.aborted || this.#ledger.length > length);
    }
  }

  /** Commits something again and again until the signal aborts, each time after the next look. */
  async writeBetween(commit: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { looks } = this;
      await commit();
      await until(() => signal.aborted || this.looks > looks);
    }
  }

  /** Asks once. Returns how many records the caller has seen. */
  async lookOnce(engine: Engine, caller: string, seen: number, atLeast?: string): Promise<number> {
    const started = performance.now();
    const isFacets = lists % 2 === 1;
    const by = isFacets ? lookByFacets : look;
    const sight = await by(engine, { caller, ...(atLeast !== undefined && { atLeast }) });
    const { total, lastId, ageMs, isPrimary } = sight;
    const promised = this.#ledger.lengthAt(started - ageMs);
    if (lastId !== total) this.wrong.push(`${total} records, and the last is ${lastId}`);
    if (total < seen) this.wrong.push(`${caller} saw ${seen} records, and then ${total}`);
    if (total < promised) this.wrong.push(`${total} records, and by age ${ageMs} ms ${promised}`);
    if (isPrimary) this.fromPrimary += 1;
    else this.fromReplica += 1;
    if (isFacets && !isPrimary) this.facetsFromReplica += 1;
    return Math.max(seen, total);
  }
}

function stateOf({ state }: Pick<Answer, 'state'>): Omit<Sight, 'total'> {
  if (state === undefined) throw new Error('The answer does not say which state it shows.');
  return { ...state, isPrimary: state.ageMs === 0 };
}

function lastIdOf({ result }: Answer): number {
  const [record] = JSON.parse(result) as { readonly id: number }[];
  return record?.id ?? 0;
}
