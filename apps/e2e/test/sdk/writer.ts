import { EventEmitter, once } from 'node:events';

import type { Database } from '../support/database.ts';
import {
  deleteRows,
  insertRows,
  NUMBERS,
  type NumberedTable,
  updateRow,
} from './numbered-table.ts';

/**
 * Writes to a table as its reader goes on, and meanwhile: a third each of inserts between the rows, deletes, and updates of
 * another column.
 */
export class Writer {
  /** Numbers of rows that were not there at the start. */
  readonly inserted = new Set<number>();
  /** Numbers of rows that were there at the start, and may be gone. */
  readonly deleted = new Set<number>();
  readonly #database: Database;
  readonly #table: NumberedTable;
  readonly #work: Promise<void>;
  readonly #events = new EventEmitter();
  #writes = 0;
  #due = 0;
  #stopped = false;
  #state = 42;

  constructor(database: Database, table: NumberedTable) {
    this.#database = database;
    this.#table = table;
    this.#work = this.#run().finally(() => {
      this.#stopped = true;
      this.#events.emit('written');
    });
    // Whoever waits for the writer gets its error.
    this.#work.catch(() => undefined);
  }

  /** Waits for further writes. As many again follow while the reader reads on. */
  async write(count: number): Promise<void> {
    const enough = this.#writes + count;
    this.#due = enough + count;
    this.#events.emit('due');
    while (this.#writes < enough && !this.#stopped) await once(this.#events, 'written');
    if (this.#stopped) await this.#work;
  }

  /** Ends the writing; returns how many writes there were. */
  async stop(): Promise<number> {
    this.#stopped = true;
    this.#events.emit('due');
    await this.#work;
    return this.#writes;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      if (this.#writes >= this.#due) {
        await once(this.#events, 'due');
        continue;
      }
      await this.#writeOnce();
      this.#events.emit('written');
    }
  }

  async #writeOnce(): Promise<void> {
    const ten = NUMBERS[this.#random(NUMBERS.length)] ?? 0;
    const kind = this.#writes % 3;
    // Noted before it happens: a reader may see it at once.
    if (kind === 0) await this.#insert(ten + 1 + this.#random(9));
    if (kind === 1) await deleteRows(this.#database, this.#table, [this.#noteDeleted(ten)]);
    if (kind === 2) await updateRow(this.#database, this.#table, ten);
    this.#writes += 1;
  }

  async #insert(n: number): Promise<void> {
    if (this.inserted.has(n)) return;
    this.inserted.add(n);
    await insertRows(this.#database, this.#table, [n]);
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
