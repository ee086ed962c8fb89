import { performance } from 'node:perf_hooks';

import { type RelationPath, type Statement, type Versioned, Versions } from '@proj/engine/database';

import type { Connection } from '../connection/connection.ts';
import { isLost, isUnsaid } from '../connection/errors.ts';
import { answerOf, VIEW_FORMS, type ViewAnswer, type ViewForm } from './read-view.ts';
import { PlainTables } from './plain-tables.ts';
import { isTooLong, StatusGate } from './status-gate.ts';

/** What is read in one snapshot. What the work itself returns has no version. */
export interface SnapshotWork<Read extends Versioned> {
  readonly work: () => Promise<Read>;
  /** The tables whose version is asked for; undefined where none is. */
  readonly relations: readonly RelationPath[] | undefined;
  /** Locks the tables before the snapshot is taken, where the first statement does not name all. */
  readonly lock?: Statement | undefined;
}

/** The versions of the snapshots that are read on one server, or on several behind one address. */
export class SnapshotVersions {
  readonly #versions = new Versions();
  readonly #gate: StatusGate;
  readonly #tables = new PlainTables();
  /** The latest version of each server, and since when it was seen. */
  readonly #latest = new Map<string, { readonly version: string; readonly since: number }>();

  constructor(gate = new StatusGate()) {
    this.#gate = gate;
  }

  /** Forgets all versions. */
  connectionBroke(): void {
    this.#versions.connectionBroke();
    this.#latest.clear();
    this.#tables.forget();
  }

  /** Whether a version can be had at all. */
  isAvailable({ instance }: Connection): boolean {
    return instance !== undefined && this.#gate.isOpen;
  }

  /** Whether a page should be read with its version. */
  isWorthIt(connection: Connection): boolean {
    return this.isAvailable(connection) && this.#gate.isWorthIt;
  }

  /**
   * Reads by one statement, outside of a transaction, what has the latest version that was seen if
   * that is still the current one afterwards, and none otherwise. While every version is a new one,
   * the current one is asked for before, too. Undefined where what is read could not be of it.
   */
  async readLatest<Read extends Versioned>(
    connection: Connection,
    { work, relations = [] }: SnapshotWork<Read>,
  ): Promise<Read | undefined> {
    const latest = this.#latest.get(connection.instance ?? '')?.version;
    if (latest === undefined || !this.isAvailable(connection)) return undefined;
    if (this.#gate.isInVain && (await this.#report(connection, 'now')) !== latest) return undefined;
    return this.#versions.of(async () => {
      const read = await work();
      const isStill = (await this.#report(connection, 'now')) === latest;
      const isProven = relations.every((one) => this.#tables.isKnown(connection, one, latest));
      return isStill && isProven ? { ...read, version: latest } : read;
    });
  }

  /** Reads in one snapshot, and has it report its version where that is asked for. */
  read<Read extends Versioned>(connection: Connection, work: SnapshotWork<Read>): Promise<Read> {
    return this.#versions.of(async () => {
      const read = await this.#readIn(connection, work);
      await endTransaction(connection);
      return read;
    });
  }

  /**
   * Begins to read in one snapshot, and has it report its version where that is asked for. The
   * transaction stays open for further reads, until {@link endTransaction}.
   */
  begin<Read extends Versioned>(connection: Connection, work: SnapshotWork<Read>): Promise<Read> {
    return this.#versions.of(() => this.#readIn(connection, work));
  }

  /** The version of a snapshot that is taken now. */
  async current(connection: Connection): Promise<string | undefined> {
    if (!this.isAvailable(connection)) return undefined;
    const { version } = await this.#versions.of(async () => ({
      version: await this.#report(connection, 'now'),
    }));
    return version;
  }

  /**
   * Asks about the kind of the tables last: the transaction has locked them against `alter table`.
   */
  async #readIn<Read extends Versioned>(
    connection: Connection,
    { work, relations, lock }: SnapshotWork<Read>,
  ): Promise<Read> {
    const { reportsSnapshot } = formOf(connection);
    const isAsked = relations !== undefined && this.isAvailable(connection);
    const before = isAsked && !reportsSnapshot ? await this.#report(connection, 'now') : undefined;
    const read = await beginTransaction(connection, { work, lock });
    if (!isAsked || !this.isAvailable(connection)) return read;
    const version = await this.#report(connection, 'midway');
    const isProven = reportsSnapshot || version === before;
    if (version === undefined || !isProven) return read;
    for (const relation of relations)
      if (!(await this.#tables.has(connection, relation, version))) return read;
    return { ...read, version };
  }

  async #report(connection: Connection, when: 'now' | 'midway'): Promise<string | undefined> {
    const started = performance.now();
    const form = formOf(connection);
    const { sql, mark } = form[when]();
    const answer = await answerTo(connection, sql);
    // A longer one may also be cut.
    const isWhole = answer !== undefined && !isTooLong(answer.text.length);
    const view = isWhole ? form.viewOf(answer.text, mark) : undefined;
    const version = view === undefined ? undefined : `${connection.instance} ${view}`;
    const ageMs = this.#noteSeen(connection.instance ?? '', version, started);
    const { text, milliseconds = 0 } = answer ?? {};
    this.#gate.note({ length: text?.length, milliseconds, ageMs });
    return version;
  }

  /** For how long the version was seen by now: 0 for a new one. */
  #noteSeen(instance: string, version: string | undefined, now: number): number {
    if (version === undefined) return 0;
    const latest = this.#latest.get(instance);
    if (latest?.version === version) return Math.max(Number.MIN_VALUE, now - latest.since);
    this.#latest.set(instance, { version, since: now });
    return 0;
  }
}

function formOf({ server }: Connection): ViewForm {
  return VIEW_FORMS[server.product];
}

/** What the server answers; undefined where it refuses the status, as without `PROCESS`. */
async function answerTo(connection: Connection, sql: string): Promise<ViewAnswer | undefined> {
  try {
    return answerOf(await connection.command(sql));
  } catch (error) {
    if (isLost(error) || isUnsaid(error)) throw error;
    return undefined;
  }
}

/** The first statement takes the snapshot, after it has locked its tables against `alter table`. */
async function beginTransaction<Read extends Versioned>(
  connection: Connection,
  { work, lock }: Pick<SnapshotWork<Read>, 'work' | 'lock'>,
): Promise<Read> {
  await connection.command('start transaction');
  try {
    if (lock !== undefined) await connection.execute(lock);
    return await work();
  } catch (error) {
    await endTransaction(connection);
    throw error;
  }
}

/** Where this fails, the transaction is rolled back before the connection takes other work. */
export async function endTransaction(connection: Connection): Promise<void> {
  await connection.command('commit').catch(() => undefined);
}
