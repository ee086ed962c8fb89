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
import { type Cut, Distribution } from './distribution.ts';
import { type ErrorKind, errorKind, isLost, isMovedSession, toQueryError } from './errors.ts';
import {
  type DatabaseCall,
  inOrder,
  runStatement,
  runTransaction,
  type ServerCall,
  type TransactionWork,
  type Work,
} from './running-work.ts';
import type { Connector } from './connect.ts';
import { ProvenVersions } from './proven-versions.ts';
import type { SessionStatement } from './session.ts';

/** In milliseconds; less than the pool's own limit. */
const OPEN_MS = 3000;

const LOCK_WAIT_MS = 2000;

/** A second attempt may avoid these. */
const RETRYABLE: ReadonlySet<ErrorKind> = new Set(['lost', 'conflict', 'stale_plan']);

/** Of those, independent of the server's state. */
const RETRYABLE_HERE: ReadonlySet<ErrorKind> = new Set(['stale_plan']);

/** These pass when others stop changing what is read. */
const PASSING: ReadonlySet<ErrorKind> = new Set(['locked', 'replaced', 'no_common_state']);

/** A later connection attempt would fail alike. */
const FATAL: ReadonlySet<ErrorKind> = new Set(['denied', 'other']);

const HELLO: SessionStatement = { sql: 'select 1', parameters: [] };

export interface DatabaseLimits extends Pools.PoolLimits {
  /** Don't retry what fails by the server's state. Default: false. */
  readonly triesOnce?: boolean;
}

type Start<Value> = (connection: Connection, call: ServerCall) => Pools.Run<Value>;

/** Connections to one server. All statements only read, so any may be retried. */
export class Database extends Pools.Server<Connection> {
  readonly versions: Versions;
  readonly proven: ProvenVersions;
  readonly distribution: Distribution;
  readonly #connector: Connector;
  readonly #retryable: ReadonlySet<ErrorKind>;
  /** False from the first sign of a pooler that moves sessions. */
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
   * @param versions end where a connection breaks. Default: those of no other server
   * @throws {SettingsError} when the server refuses the login or lacks the database
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
        `database: cannot connect: ${failure.message.replace(/\.$/, '')}.`,
      );
    }
  }

  withOwnPool(limits: DatabaseLimits): Database {
    return new Database(this.#connector, limits, this);
  }

  nameSettings(names: readonly string[]): void {
    this.#connector.nameSettings(names);
  }

  /** @throws {QueryFailedError} when there is no answer in time, also to a second attempt */
  async ask(statement: SessionStatement, call: DatabaseCall): Promise<Row> {
    const { lock } = statement;
    if (lock !== undefined) return (await this.askTogether([lock, statement], call))[1] ?? [];
    return this.#runOn((connection, served) => runStatement(connection, statement, served), call);
  }

  /** Runs statements in one read-only transaction with one snapshot; otherwise as {@link ask}. */
  askTogether(statements: readonly SessionStatement[], call: DatabaseCall): Promise<Row[]> {
    const work: Work<Row[]> = (ask) => inOrder(statements.map(ask));
    return this.inTransaction({ work, asksAtOnce: true }, call);
  }

  inSnapshot<Value>(work: Work<Value>, call: DatabaseCall): Promise<Value> {
    return this.inTransaction({ work }, call);
  }

  /** Runs work in one read-only transaction; otherwise as {@link ask}. */
  inTransaction<Value>(work: TransactionWork<Value>, call: DatabaseCall): Promise<Value> {
    return this.#runOn((connection, served) => runTransaction(connection, work, served), call);
  }

  /** Repeats where functions or memberships changed, which PostgreSQL looks up as of now. */
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
      // Statements report only the version of their own server.
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
      // In another's snapshot: don't retry or wait for a lock.
      if (!mayAgain || call.session?.snapshot !== undefined) return 'never';
      // The search for a common state waits itself.
      if (kind === 'no_common_state') return 'now';
      return kind === 'conflict' || PASSING.has(kind) ? 'later' : 'now';
    };
    const startOn = async (connection: Connection): Promise<Pools.Run<Value>> => {
      const cut = (call.session?.cut.length ?? 0) > 0 ? await this.#lookForCut(call) : undefined;
      return start(connection, { ...call, distribution, cut, keepsPlans });
    };
    return this.run(startOn, call, { isLost, retry, toQueryError });
  }

  async #lookForCut(call: DatabaseCall): Promise<Cut> {
    const { cluster } = this.distribution;
    if (cluster === undefined)
      throw new QueryFailedError('no_common_state', 'The servers of the cluster are not known.');
    return cluster.lookForCut(call, call.isQuick);
  }
}
