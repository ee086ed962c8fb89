import { hash } from 'node:crypto';

import type { Deadline } from '../deadline.ts';
import type { StatementSession } from '../sql/statement.ts';
import type { PageRange, QueryStatements } from '../sql/query-statements.ts';

/** One read and its deadline. The database stops it then, or when the caller disconnects. */
export interface ReadCall extends Deadline {
  /** Those who wait for it. Default: one caller without a name. */
  readonly callers?: Callers;
  /** For how long others went first, of what a wait for a connection may take. Default: 0. */
  readonly waitedMs?: number;
  /** As {@link shapeOf} makes it. Default: a statement known to be quick. */
  readonly shape?: string;
  /** Whose connections it takes. Default: those of pages. */
  readonly lane?: 'pages' | 'background' | 'lists';
  /** Whom the database reads as. Default: the service. */
  readonly session?: StatementSession | undefined;
}

/** The caller of queries that name none. */
export const NOBODY = '';

export function firstCaller({ callers }: { readonly callers?: Callers | undefined }): string {
  const [first = NOBODY] = callers ?? [];
  return first;
}

/** A shared read takes the turn of whichever caller comes first. */
export class Callers {
  readonly #all: Set<string>;
  #listeners: Set<(caller: string) => void> | undefined;

  /** @param callers opaque; queries without one count as those of one caller */
  constructor(...callers: readonly (string | undefined)[]) {
    this.#all = new Set(callers.map((caller = NOBODY) => caller));
  }

  [Symbol.iterator](): IterableIterator<string> {
    return this.#all.values();
  }

  join(others: Callers): void {
    for (const caller of others) {
      if (this.#all.has(caller)) continue;
      this.#all.add(caller);
      for (const listener of this.#listeners ?? []) listener(caller);
    }
  }

  onJoin(listener: (caller: string) => void): () => void {
    this.#listeners ??= new Set();
    this.#listeners.add(listener);
    return () => this.#listeners?.delete(listener);
  }
}

/** Its turn is the first of its callers', its time the longest; it stops when nobody waits. */
export class SharedCall {
  readonly #callers = new Callers();
  readonly #stop = new AbortController();
  #waiting = 0;
  #deadline = 0;
  #waitedMs = Infinity;

  get isAbandoned(): boolean {
    return this.#stop.signal.aborted;
  }

  get call(): ReadCall {
    const [deadline, waitedMs] = [this.#deadline, this.#waitedMs];
    return { callers: this.#callers, signal: this.#stop.signal, deadline, waitedMs };
  }

  add(call: ReadCall): void {
    this.#waiting += 1;
    this.#deadline = Math.max(this.#deadline, call.deadline);
    this.#waitedMs = Math.min(this.#waitedMs, call.waitedMs ?? 0);
    this.addCallers(call);
  }

  /** Adds the turns of callers who wait for the next read, which follows this one. */
  addCallers({ callers = new Callers(undefined) }: ReadCall): void {
    this.#callers.join(callers);
  }

  remove(reason: unknown): void {
    this.#waiting -= 1;
    if (this.#waiting === 0) this.#stop.abort(reason);
  }
}

/** Reads a whole relation, however long: a count, a key check. */
export const WHOLE_RELATION = 'whole relation';

/** With known keys few rows are counted, else all before the record. */
export function recordShape({ rows }: QueryStatements, hasKeys: boolean): string {
  return shapeOf(`record ${hasKeys} ${rows.sql}`, { size: 0, offset: 0n });
}

/** Cost grows with the rows passed over: pages within one power of two share a shape. */
export function shapeOf(sql: string, { size, offset }: PageRange): string {
  const depth = (offset + BigInt(size)).toString(2).length;
  return `${hash('sha256', sql, 'base64url').slice(0, 22)} ${depth}`;
}
