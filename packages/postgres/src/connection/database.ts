import {
  Deadlines,
  Pools,
  QueryFailedError,
  type ReadCall,
  RefusedConnectionError,
  SettingsError,
  type Versioned,
  Versions,
} from '@proj/engine/database';

import type { Connection, Row } from './connection.ts';
import type { Cut } from './cut.ts';
import { type ErrorKind, errorKind, isLost, isMovedSession, toQueryError } from './errors.ts';
import {
  type DatabaseCall,
  runStatement,
  runTogether,
  runTransaction,
  type ServerCall,
  type TransactionWork,
  type Work,
} from './running-work.ts';
import type { Connector } from './connect.ts';
import { ProvenVersions } from './proven-versions.ts';
import type { SessionStatement } from './session.ts';
import { Distribution } from './distribution.ts';

/** The first answer takes so long at most; the pool gives up on a connection before that. */
const OPEN_MS = 3000;

/** As long as a read of one relation waits for its lock: see `lock_timeout` of the session. */
const LOCK_WAIT_MS = 2000;

/** Errors that a second attempt may not meet. */
const RETRYABLE: ReadonlySet<ErrorKind> = new Set(['lost', 'conflict', 'stale_plan']);

/** Those among them that do not depend on the state of the server. */
const RETRYABLE_HERE: ReadonlySet<ErrorKind> = new Set(['stale_plan']);

/** Those that last only as long as somebody changes what is read. */
const PASSING: ReadonlySet<ErrorKind> = new Set(['locked', 'replaced', 'no_common_state']);

/** Errors of connecting that a later attempt would meet again. */
const FATAL: ReadonlySet<ErrorKind> = new Set(['denied', 'other']);

const HELLO: SessionStatement = { statement: { sql: 'select 1', parameters: [] }, named: false };

/** The limits of the pool, and how often work is tried. */
export interface DatabaseLimits extends Pools.PoolLimits {
  /**
   * Whether work that fails because of the state of the server is not attempted again. Default:
   * false.
   */
  readonly triesOnce?: boolean;
}

/** Gives work to a connection. */
type Start<Value> = (connection: Connection, call: ServerCall) => Pools.Run<Value>;

/**
 * The connections to one server, and the rules by which statements are sent. Statements only read,
 * so any of them may be tried again.
 */
export class Database extends Pools.Server<Connection> {
  /** The versions that reads on all connections to the server see. */
  readonly versions: Versions;
  readonly proven: ProvenVersions;
  /** Keeps the reads on all connections to the server from what has been distributed since. */
  readonly distribution: Distribution;
  readonly #connector: Connector;
  readonly #retryable: ReadonlySet<ErrorKind>;
  /** False from the first sign of a pooler that moves our sessions between connections. */
  #keepsPlans = true;

  private constructor(
    connector: Connector,
    limits: DatabaseLimits,
    { versions, distribution }: Pick<Database, 'versions' | 'distribution'>,
  ) {
    super(() => connector.connect(), limits, versions);
    this.versions = versions;
    this.distribution = distribution;
    this.proven = new ProvenVersions(versions);
    this.#connector = connector;
    this.#retryable = limits.triesOnce === true ? RETRYABLE_HERE : RETRYABLE;
  }

  /**
   * @param versions those of reads that end where a connection breaks. Default: none of another
   *   server
   * @throws {SettingsError} when the server refuses the login or has no such database
   * @throws {QueryFailedError} when the server does not answer
   */
  static async open(
    connector: Connector,
    limits: DatabaseLimits,
    versions = new Versions(),
  ): Promise<Database> {
    const distribution = new Distribution();
    const database = new Database(connector, limits, { versions, distribution });
    try {
      await Deadlines.withDeadline({ timeoutMs: OPEN_MS }, (call) =>
        database.attempt(
          (connection) => runStatement(connection, HELLO, { ...call, keepsPlans: false }),
          call,
        ),
      );
      return database;
    } catch (error) {
      await database.close(0);
      if (error instanceof SettingsError) throw error;
      const failure = toQueryError(error);
      if (error instanceof QueryFailedError || !FATAL.has(errorKind(error))) throw failure;
      throw new RefusedConnectionError(
        `database: no connection can be made: ${failure.message.replace(/\.$/, '')}.`,
      );
    }
  }

  withOwnPool(limits: DatabaseLimits): Database {
    return new Database(this.#connector, limits, this);
  }

  /** @see {@link Connector.nameSettings} */
  nameSettings(names: readonly string[]): void {
    this.#connector.nameSettings(names);
  }

  /**
   * Gives the only row of a statement, trying once more where that promises something. One with a
   * lock is read in a transaction that begins with it.
   *
   * @throws {QueryFailedError} when there is no answer, in time or at all
   */
  async ask(statement: SessionStatement, call: DatabaseCall): Promise<Row> {
    const { lock } = statement.statement;
    if (lock !== undefined) {
      const locked = [{ statement: lock, named: false }, statement];
      return (await this.askTogether(locked, call))[1] ?? [];
    }
    return this.#runOn((connection, served) => runStatement(connection, statement, served), call);
  }

  /**
   * Gives the only row of each of some statements, which run in one transaction that only reads and
   * has one snapshot; otherwise as {@link ask}.
   */
  askTogether(statements: readonly SessionStatement[], call: DatabaseCall): Promise<Row[]> {
    return this.#runOn((connection, served) => runTogether(connection, statements, served), call);
  }

  /**
   * Does work in one transaction, which only reads and has one snapshot; otherwise as {@link ask}.
   */
  inSnapshot<Value>(work: Work<Value>, call: DatabaseCall): Promise<Value> {
    return this.inTransaction({ work }, call);
  }

  /** Does work in one transaction, which only reads; otherwise as {@link ask}. */
  inTransaction<Value>(work: TransactionWork<Value>, call: DatabaseCall): Promise<Value> {
    return this.#runOn((connection, served) => runTransaction(connection, work, served), call);
  }

  /**
   * What is read, with its version. What a caller reads by policies has one only if the data has it
   * still afterwards, and is read again where functions or memberships were changed meanwhile:
   * PostgreSQL looks these up as they are at the moment, and not as they were in the snapshot.
   */
  async versioned<Read extends Versioned>(
    read: (call: DatabaseCall) => Promise<Read>,
    call: ReadCall,
  ): Promise<Read> {
    const { session } = call;
    if (session === undefined) return this.versions.of(() => read(call));
    let last: string | undefined;
    const takeVersion = (version: string | undefined): void => {
      last = version;
    };
    return this.versions.of(async () => {
      const found = await read({ ...call, takeVersion });
      // What the statements report is the version of the server that is read alone.
      if (session.cut.length > 0) return { ...found, version: last };
      const holds = !session.endsWithVersion || found.version === last;
      return holds ? found : { ...found, version: undefined };
    });
  }

  #runOn<Value>(start: Start<Value>, call: DatabaseCall): Promise<Value> {
    const { distribution } = this;
    let keepsPlans = this.#keepsPlans;
    const started = performance.now();
    const retry: Pools.Failures['retry'] = (error, attempts) => {
      const kind = errorKind(error);
      if (isMovedSession(error)) this.#keepsPlans = false;
      if (kind === 'stale_plan') keepsPlans = false;
      const isShort = performance.now() - started < LOCK_WAIT_MS;
      const mayAgain = PASSING.has(kind) ? isShort : attempts === 1 && this.#retryable.has(kind);
      // Whoever asks in the snapshot of somebody else does without, and does not wait for a lock.
      if (!mayAgain || call.session?.snapshot !== undefined) return 'never';
      // Whoever looks for a state of several servers waits for one.
      if (kind === 'no_common_state') return 'now';
      return kind === 'conflict' || PASSING.has(kind) ? 'later' : 'now';
    };
    const startOn = async (connection: Connection): Promise<Pools.Run<Value>> => {
      const cut = await this.#lookForCut(call);
      return start(connection, { ...call, distribution, cut, keepsPlans });
    };
    return this.run(startOn, call, { isLost, retry, toQueryError });
  }

  /** Undefined where one server is read. */
  async #lookForCut(call: DatabaseCall): Promise<Cut | undefined> {
    const { cluster } = this.distribution;
    if (call.session === undefined || call.session.cut.length === 0) return undefined;
    if (cluster === undefined)
      throw new QueryFailedError('no_common_state', 'The servers of the cluster are not known.');
    return cluster.lookForCut(call, call.isQuick);
  }
}
