import { type Engine, EVERYTHING } from '@proj/engine';
import type { Client } from 'pg';

import { bodyOf } from '../../open.ts';

/** A reply, as far as its version goes. */
export interface WindowReply {
  readonly version: string | undefined;
  readonly text: string;
}

/** A state of the table: its ids are these, and all between. */
export interface WindowState {
  readonly first: number;
  readonly last: number;
}

/**
 * A table whose ids are consecutive, that one session writes. Any page of it with its total says of
 * which state it is, so that a reply is known to be right: it is of a state that was committed when
 * its request began, or later on.
 */
export class MovingWindow {
  #sql: Client;
  readonly #states: WindowState[];
  /** The last state whose commit is known. */
  #committed = 0;

  /** @param rows how many rows the table has, of ids from 1 on */
  constructor(sql: Client, rows: number) {
    this.#sql = sql;
    this.#states = [{ first: 1, last: rows }];
  }

  static tableOf(rows: number): string {
    return `
      create table moving (id int primary key, note text);
      insert into moving select n, 'old' from generate_series(1, ${rows}) n`;
  }

  get state(): WindowState {
    return this.#states.at(-1) ?? { first: 1, last: 0 };
  }

  /** How many rows there are. */
  get rows(): number {
    const { first, last } = this.state;
    return last - first + 1;
  }

  /** Adds rows at the end, in one transaction. */
  async grow(rows: number): Promise<void> {
    const { first, last } = this.state;
    await this.#become(
      { first, last: last + rows },
      `insert into moving select n, 'new' from generate_series(${last + 1}, ${last + rows}) n`,
    );
  }

  /** Removes rows from the beginning, in one transaction. */
  async advance(rows: number): Promise<void> {
    const { first, last } = this.state;
    const next = first + rows;
    await this.#become({ first: next, last }, `delete from moving where id < ${next}`);
  }

  /** Removes rows from the end, in one transaction. */
  async shrink(rows: number): Promise<void> {
    const { first, last } = this.state;
    const next = last - rows;
    await this.#become({ first, last: next }, `delete from moving where id > ${next}`);
  }

  /**
   * Adds rows and removes as many, again and again, until the signal aborts.
   *
   * @param turn lets others have theirs
   */
  async keepMoving(signal: AbortSignal, turn: () => Promise<void>, rows = 1): Promise<void> {
    while (!signal.aborted) {
      await this.grow(rows);
      await this.advance(rows);
      await turn();
    }
  }

  /**
   * Asks for a page.
   *
   * @throws {Error} when the reply is of no state that there was
   */
  async ask(engine: Engine, page: number, size: number): Promise<WindowReply> {
    const since = this.#committed;
    const body = bodyOf({ model: 'moving', attributes: ['id'], page, size });
    const { result, page: metadata, version } = await engine.query(body, EVERYTHING);
    const offset = (page - 1) * size;
    const text = `${metadata.total} ${result}`;
    const states = this.#states.slice(since);
    if (!states.some((state) => text === pageOf(state, offset, size)))
      throw new Error(`from ${offset}: ${text} of ${JSON.stringify(states)}`);
    return { version, text: `${page} ${text}` };
  }

  /**
   * Writes in another session from now on.
   *
   * @param state what it finds: what was written after that is lost
   * @param happen brings it about that all who ask find the same
   */
  async goOn(state: WindowState, sql: Client, happen: () => Promise<unknown>): Promise<void> {
    this.#sql = sql;
    this.#states.push(state);
    await happen();
    this.#committed = this.#states.length - 1;
  }

  async #become(state: WindowState, sql: string): Promise<void> {
    this.#states.push(state);
    await this.#sql.query(sql);
    this.#committed = this.#states.length - 1;
  }
}

function pageOf({ first, last }: WindowState, offset: number, size: number): string {
  const total = last - first + 1;
  const length = Math.max(0, Math.min(size, total - offset));
  const records = Array.from({ length }, (_, index) => ({ id: first + offset + index }));
  return `${total} ${JSON.stringify(records)}`;
}
