import { performance } from 'node:perf_hooks';

import { type RelationPath, type Statement, type Versioned, Versions } from '@proj/engine/database';

import type { Connection } from '../connection/connection.ts';
import { isLost, isUnsaid } from '../connection/errors.ts';
import { answerOf, VIEW_FORMS, type ViewAnswer, type ViewForm } from './read-view.ts';
import { isTooLong, StatusGate } from './status-gate.ts';

/** What is read in one snapshot. The work itself returns no version. */
export interface SnapshotWork<Read extends Versioned> {
  readonly work: () => Promise<Read>;
  readonly relations: readonly RelationPath[] | undefined;
  /** Locks the tables before the snapshot, where the first statement does not name all. */
  readonly lock?: Statement | undefined;
}

/** The versions of snapshots on one server, or on several behind one address. */
export class SnapshotVersions {
  readonly #versions = new Versions();
  readonly #gate: StatusGate;
  readonly #tables = new PlainTables();
  readonly #latest = new Map<string, { readonly version: string; readonly since: number }>();

  constructor(gate = new StatusGate()) {
    this.#gate = gate;
  }

  connectionBroke(): void {
    this.#versions.connectionBroke();
    this.#latest.clear();
    this.#tables.forget();
  }

  isAvailable({ instance }: Connection): boolean {
    return instance !== undefined && this.#gate.isOpen;
  }

  isWorthIt(connection: Connection): boolean {
    return this.isAvailable(connection) && this.#gate.isWorthIt;
  }

  /**
   * Outside a transaction: the result has the latest seen version if that is still current
   * afterwards. While every version is new, it asks before, too.
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

  read<Read extends Versioned>(connection: Connection, work: SnapshotWork<Read>): Promise<Read> {
    return this.#versions.of(async () => {
      const read = await this.#readIn(connection, work);
      await endTransaction(connection);
      return read;
    });
  }

  /** Like {@link read}, but leaves the transaction open until {@link endTransaction}. */
  begin<Read extends Versioned>(connection: Connection, work: SnapshotWork<Read>): Promise<Read> {
    return this.#versions.of(() => this.#readIn(connection, work));
  }

  async current(connection: Connection): Promise<string | undefined> {
    if (!this.isAvailable(connection)) return undefined;
    const { version } = await this.#versions.of(async () => ({
      version: await this.#report(connection, 'now'),
    }));
    return version;
  }

  /** Checks tables last: the transaction has locked them against `alter table`. */
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
    // A longer one may be cut.
    const isWhole = answer !== undefined && !isTooLong(answer.text.length);
    const view = isWhole ? form.viewOf(answer.text, mark) : undefined;
    const version = view === undefined ? undefined : `${connection.instance} ${view}`;
    const ageMs = this.#noteSeen(connection.instance ?? '', version, started);
    const { text, milliseconds = 0 } = answer ?? {};
    this.#gate.note({ length: text?.length, milliseconds, ageMs });
    return version;
  }

  /** How long the version has lasted, in milliseconds: 0 for a new one. */
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

/** Undefined where the server refuses the status, as without `PROCESS`. */
async function answerTo(connection: Connection, sql: string): Promise<ViewAnswer | undefined> {
  try {
    return answerOf(await connection.command(sql));
  } catch (error) {
    if (isLost(error) || isUnsaid(error)) throw error;
    return undefined;
  }
}

/** The first statement locks its tables against `alter table`, then takes the snapshot. */
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

/** If this fails, the connection rolls back before other work. */
export async function endTransaction(connection: Connection): Promise<void> {
  await connection.command('commit').catch(() => undefined);
}

/** Finds InnoDB tables without virtual columns, which can't change without a new version. */
class PlainTables {
  readonly #found = new Map<string, string>();

  forget(): void {
    this.#found.clear();
  }

  isKnown({ instance }: Connection, path: RelationPath, version: string): boolean {
    return this.#found.get(JSON.stringify([instance, path])) === version;
  }

  /** Ask in the transaction that has read the table. */
  async has(connection: Connection, path: RelationPath, version: string): Promise<boolean> {
    if (this.isKnown(connection, path, version)) return true;
    const name = JSON.stringify([connection.instance, path]);
    const [table] = path;
    const [[count] = []] = await connection.execute({ sql: PLAIN, parameters: [table, table] });
    const isPlain = String(count) === '1';
    if (isPlain) this.#found.set(name, version);
    else this.#found.delete(name);
    return isPlain;
  }
}

// For a name that is no constant the server would look at the tables of all databases.
const PLAIN = `select count(*)
  from information_schema.tables t
  where t.table_schema = database()
    and t.table_name = ?
    and t.table_type = 'BASE TABLE'
    and t.engine = 'InnoDB'
    and not exists (
      select 1
      from information_schema.columns c
      where c.table_schema = database()
        and c.table_name = ?
        and c.extra like '%VIRTUAL%'
    )`;
