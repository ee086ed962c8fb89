import { setTimeout } from 'node:timers/promises';

import { until } from '@proj/test-servers';

import type { Connection } from '../support/database.ts';
import {
  deleteRows,
  insertRows,
  NUMBERS,
  type NumberedTable,
  updateRow,
} from './numbered-table.ts';

const WRITES_PER_SECOND = 1000;

/**
 * Writes to a table without rest: a third each of inserts between the rows, deletes, and updates of
 * another column.
 */
export class Writer {
  /** Numbers of rows that were not there at the start. */
  readonly inserted = new Set<number>();
  /** Numbers of rows that were there at the start, and may be gone. */
  readonly deleted = new Set<number>();
  readonly #connection: Connection;
  readonly #table: NumberedTable;
  readonly #work: Promise<void>;
  #writes = 0;
  #stopped = false;
  #state = 42;

  constructor(connection: Connection, table: NumberedTable) {
    this.#connection = connection;
    this.#table = table;
    this.#work = this.#run().finally(() => (this.#stopped = true));
    // Whoever waits for the writer gets its error.
    this.#work.catch(() => undefined);
  }

  /** Waits for further writes. */
  async write(count: number): Promise<void> {
    const enough = this.#writes + count;
    await until(() => this.#writes >= enough || this.#stopped);
    if (this.#stopped) await this.#work;
  }

  /** Ends the writing; returns how many writes there were. */
  async stop(): Promise<number> {
    this.#stopped = true;
    await this.#work;
    return this.#writes;
  }

  async #run(): Promise<void> {
    const began = performance.now();
    while (!this.#stopped) {
      const due = ((performance.now() - began) / 1000) * WRITES_PER_SECOND;
      if (this.#writes < due) await this.#writeOnce();
      else await setTimeout(1);
    }
  }

  async #writeOnce(): Promise<void> {
    const ten = NUMBERS[this.#random(NUMBERS.length)] ?? 0;
    const kind = this.#writes % 3;
    // Noted before it happens: a reader may see it at once.
    if (kind === 0) await this.#insert(ten + 1 + this.#random(9));
    if (kind === 1) await deleteRows(this.#connection, this.#table, [this.#noteDeleted(ten)]);
    if (kind === 2) await updateRow(this.#connection, this.#table, ten);
    this.#writes += 1;
  }

  async #insert(n: number): Promise<void> {
    if (this.inserted.has(n)) return;
    this.inserted.add(n);
    await insertRows(this.#connection, this.#table, [n]);
  }

  #noteDeleted(n: number): number {
    this.deleted.add(n);
    return n;
  }

  /**
   * A whole number below `end`, the same in every run:
   * https://en.wikipedia.org/wiki/Lehmer_random_number_generator
   */
  #random(end: number): number {
    this.#state = (this.#state * 48_271) % 2_147_483_647;
    return this.#state % end;
  }
}
