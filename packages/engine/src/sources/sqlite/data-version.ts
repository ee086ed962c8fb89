import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';

/**
 * Tells whether the file has changed, in microseconds and without waiting for anybody. `PRAGMA data_version` moves on every commit of
 * another connection, and its values can be compared only within the connection that reads them; so there is one for the whole source,
 * which does nothing else.
 */
export class DataVersion {
  readonly #path: string;
  /** Other processes count for themselves. */
  readonly #counter = randomUUID();
  #identity = '';
  #opened = 0;
  #database: DatabaseSync | undefined;
  #pragma: StatementSync | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** The version now; undefined while a writer holds the whole file, or when it cannot be read. */
  read(): string | undefined {
    try {
      this.#follow();
      const row: unknown = this.#pragma?.get();
      return row === undefined ? undefined : `${this.#counter}.${this.#opened}.${String(Object.values(row as object)[0])}`;
    } catch {
      return undefined;
    }
  }

  close(): void {
    this.#database?.close();
    this.#database = undefined;
    this.#pragma = undefined;
  }

  /** Opens the file that the path names now: another may have taken the place of the one that is open. */
  #follow(): void {
    const { dev, ino } = statSync(this.#path, { bigint: true });
    const identity = `${dev}:${ino}`;
    if (identity === this.#identity && this.#pragma !== undefined) return;
    this.close();
    this.#identity = identity;
    this.#opened += 1;
    this.#database = new DatabaseSync(this.#path, { readOnly: true, timeout: 0, allowExtension: false });
    this.#pragma = this.#database.prepare('pragma data_version');
  }
}
