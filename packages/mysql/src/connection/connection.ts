import { connect, Socket } from 'node:net';

import { type Pools, QueryFailedError, type Statement, Tracing } from '@proj/engine/database';
import {
  type Connection as Driver,
  type ConnectionOptions,
  createConnection,
  type QueryError,
} from 'mysql2';

import { ConnectionLostError, HaltedError, isLost, isStopped, isUnsaid } from './errors.ts';
import { instanceOf, isDirect } from './instance.ts';
import { proveSession } from './session-proof.ts';
import { type Server, serverOf } from './session.ts';
import type { MysqlAddress } from './url.ts';

/** A connection that is not open by then is given up. */
const CONNECT_TIMEOUT_MS = 1500;

/**
 * Numbers past 2^53, decimals, dates and JSON come as text; nothing that the server sends can make
 * the client read a file.
 */
const DRIVER_OPTIONS = {
  charset: 'utf8mb4',
  supportBigNumbers: true,
  bigNumberStrings: true,
  dateStrings: true,
  jsonStrings: true,
  multipleStatements: false,
  flags: ['-LOCAL_FILES'],
  maxPreparedStatements: 100,
  connectTimeout: CONNECT_TIMEOUT_MS,
  trace: false,
} satisfies ConnectionOptions;

/** The columns of a row, in order. */
export type Row = readonly unknown[];

type Done = (error: QueryError | null, rows: unknown) => void;

/** One session, set up for reading. */
export class Connection implements Pools.PooledConnection {
  replyRead: Pools.ReplyRead | undefined;
  readonly #driver: Driver;
  readonly #address: MysqlAddress;
  readonly #socket: Socket;
  readonly #pending = new Set<(error: Error) => void>();
  readonly #listeners: (() => void)[] = [];
  #server: Server = serverOf('');
  #threadId = '0';
  #instance: string | undefined;
  #lost = false;
  #givenUp = false;
  #halted = false;
  #inDoubt = false;
  /** In seconds: those of an administrator, and those that are set now. */
  #administratorsLimit = Infinity;
  #limit = 0;

  private constructor(address: MysqlAddress) {
    this.#address = address;
    this.#socket = connect(
      address.socket === undefined
        ? { host: address.host, port: address.port }
        : { path: address.socket },
    );
    this.#socket.setNoDelay(true).setKeepAlive(true, 10_000);
    this.#driver = createConnection({
      ...DRIVER_OPTIONS,
      ...loginOf(address),
      stream: this.#socket,
    });
    // Without a listener a server that ends an idle connection would end this process too.
    this.#driver.on('error', (error: Error) => this.#lose(error));
  }

  /** Opens a connection and sets its session up. */
  static async open(address: MysqlAddress): Promise<Connection> {
    const connection = new Connection(address);
    const timer = setTimeout(
      () => connection.destroy(`It was not ready within ${CONNECT_TIMEOUT_MS} ms.`),
      CONNECT_TIMEOUT_MS,
    );
    try {
      await connection.#setUp();
      return connection;
    } catch (error) {
      connection.destroy();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  get server(): Server {
    return this.#server;
  }

  /** The number by which `kill` knows this connection. */
  get threadId(): string {
    return this.#threadId;
  }

  /**
   * Which process of which server answers, as a text that is short; undefined where its snapshots
   * have no versions.
   */
  get instance(): string | undefined {
    return this.#instance;
  }

  get alive(): boolean {
    return !this.#lost;
  }

  /** Whether it was lost without our doing. */
  get broke(): boolean {
    return this.#lost && !this.#givenUp;
  }

  /** Whether a statement failed, which may have left a transaction open. */
  get inDoubt(): boolean {
    return this.#inDoubt;
  }

  /** Calls back once the connection is lost. */
  onLost(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Runs a prepared statement; it is prepared once. Only this protocol brings FLOAT columns without
   * loss.
   *
   * @throws {QueryFailedError} `reply_too_large` when the rows take more than `maxBytes` on the
   *   wire; the connection is lost then
   */
  execute(statement: Statement, maxBytes = Infinity): Promise<Row[]> {
    const { sql, parameters } = statement;
    const values = parameters as (string | number | bigint | Buffer | null)[];
    const run = (): Promise<Row[]> =>
      this.#ask((done) => this.#driver.execute({ sql, values, rowsAsArray: true }, done));
    return Tracing.traceStatement(this.#facts(statement), () =>
      maxBytes === Infinity ? run() : this.#readWithin(maxBytes, run),
    );
  }

  /**
   * Gives the rows of a prepared statement one by one, and reads no further while `take` has not
   * taken the last one. Those that have arrived by then still come.
   *
   * @param take returns what to wait for before the next row; undefined where that may come at once
   * @throws what `take` rejects with; the connection is given up then
   */
  rows(statement: Statement, take: (row: Row) => Promise<void> | undefined): Promise<void> {
    return Tracing.traceStatement(this.#facts(statement), () => this.#rows(statement, take));
  }

  /** Runs a statement that has no parameters and need not be fast. */
  command(sql: string): Promise<Row[]> {
    return Tracing.traceStatement(this.#facts({ sql }), () =>
      this.#ask((done) => this.#driver.query({ sql, rowsAsArray: true }, done)),
    );
  }

  /**
   * Lets the server itself end statements that run much longer than they should, in case nobody can
   * stop them from here.
   */
  async limitStatements(milliseconds: number): Promise<void> {
    // Powers of two: the limit is sent when it changes, which is then seldom.
    const limit = Math.min(
      this.#administratorsLimit,
      2 ** Math.ceil(Math.log2(milliseconds / 1000 + 1)),
    );
    if (limit === this.#limit) return;
    await this.#try(this.#server.limitStatements(limit));
    this.#limit = limit;
  }

  /** Refuses statements until `settle` is called. */
  halt(): void {
    this.#halted = true;
  }

  /**
   * Rolls back whatever transaction is open; a late kill may fall on that. Resolves with whether
   * the connection can take the next statement.
   */
  async settle(): Promise<boolean> {
    this.#halted = false;
    try {
      await this.command('rollback').catch((error: unknown) => {
        if (!isStopped(error)) throw error;
        return this.command('rollback');
      });
      this.#inDoubt = false;
      return true;
    } catch {
      return false;
    }
  }

  /** Drops the connection without a word to the server, which may be frozen. */
  destroy(reason = 'The connection was given up.'): void {
    this.#givenUp ||= !this.#lost;
    this.#lose(new ConnectionLostError(reason));
  }

  #facts({ sql, relations }: Pick<Statement, 'sql' | 'relations'>): Tracing.StatementFacts {
    const { database: namespace, socket, host, port } = this.#address;
    const { product: system } = this.#server;
    const place = socket === undefined ? { address: host, port } : { address: socket };
    return { database: { system, namespace, ...place }, text: sql, relations };
  }

  async #rows(
    { sql, parameters }: Statement,
    take: (row: Row) => Promise<void> | undefined,
  ): Promise<void> {
    const values = parameters as (string | number | bigint | Buffer | null)[];
    let taking: Promise<void> | undefined;
    const follow = async (taken: Promise<void>, fail: Done): Promise<void> => {
      this.#driver.pause();
      try {
        await taken;
      } catch (error) {
        fail(error as QueryError, []);
        this.destroy();
      }
      if (taking === taken) this.#driver.resume();
    };
    await this.#ask((done) => {
      const command = this.#driver.execute({ sql, values, rowsAsArray: true });
      command.on('result', (row: Row) => {
        const taken = take(row);
        if (taken === undefined) return;
        taking = taken;
        void follow(taken, done);
      });
      command.on('error', (error: QueryError) => done(error, []));
      command.on('end', () => done(null, []));
    });
    await taking;
  }

  async #setUp(): Promise<void> {
    await this.#ask((done) => this.#driver.connect((error) => done(error, [])));
    const [[version, threadId] = []] = await this.command('select version(), connection_id()');
    this.#server = serverOf(String(version));
    this.#threadId = String(threadId);
    for (const statement of this.#server.required) await this.command(statement);
    for (const statement of this.#server.helpful) await this.#try(statement);
    const [[limit] = []] = await this.#try(this.#server.administratorsLimit);
    this.#administratorsLimit = Number(limit) || Infinity;
    const { instance = '' } = this.#server;
    const answer = instance === '' ? [] : await this.#try(instance);
    const { threadId: greetedAs } = this.#driver;
    const reached = { threadId: this.#threadId, greetedAs, answer };
    this.#instance = instanceOf(reached);
    if (!isDirect(reached)) await proveSession((sql) => this.command(sql));
  }

  /**
   * The driver keeps all rows of a reply, and the server sends on until it is done, so more than
   * this can only be cut off.
   */
  async #readWithin(maxBytes: number, run: () => Promise<Row[]>): Promise<Row[]> {
    // The driver puts TLS around the socket.
    const stream: unknown = Reflect.get(this.#driver, 'stream');
    const socket = stream instanceof Socket ? stream : this.#socket;
    let remaining = maxBytes;
    const count = (chunk: Buffer): void => {
      remaining -= chunk.length;
      if (remaining < 0)
        this.#lose(
          new QueryFailedError('reply_too_large', `The rows take more than ${maxBytes} bytes.`),
        );
      else void this.#takeMemory(chunk.length);
    };
    socket.on('data', count);
    try {
      return await run();
    } finally {
      socket.off('data', count);
    }
  }

  /** Reads no further before there is memory for it. */
  async #takeMemory(bytes: number): Promise<void> {
    const taking = this.replyRead?.add(bytes);
    if (taking === undefined) return;
    this.#driver.pause();
    try {
      await taking;
      this.#driver.resume();
    } catch (error) {
      this.#lose(error);
    }
  }

  async #try(statement: string): Promise<Row[]> {
    return this.command(statement).catch((error: unknown) => {
      if (isLost(error) || isUnsaid(error)) throw error;
      return [];
    });
  }

  async #ask(start: (done: Done) => void): Promise<Row[]> {
    if (this.#lost) throw new ConnectionLostError('The connection was lost before the statement.');
    if (this.#halted) throw new HaltedError();
    const { promise, resolve, reject } = Promise.withResolvers<Row[]>();
    this.#pending.add(reject);
    start((error, rows) => {
      if (error === null || error === undefined)
        resolve(Array.isArray(rows) ? (rows as Row[]) : []);
      else reject(error);
    });
    try {
      return await promise;
    } catch (error) {
      this.#inDoubt = true;
      if (isLost(error)) this.#lose(error);
      throw error;
    } finally {
      this.#pending.delete(reject);
    }
  }

  #lose(cause: unknown): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#driver.destroy();
    this.#socket.destroy();
    const message = cause instanceof Error ? cause.message : String(cause);
    const error =
      cause instanceof QueryFailedError ? cause : new ConnectionLostError(message, { cause });
    for (const reject of this.#pending) reject(error);
    for (const listener of this.#listeners) listener();
  }
}

function loginOf({ user, password, database, tls, host }: MysqlAddress): ConnectionOptions {
  const verify = tls === 'verify-identity';
  const ssl =
    tls === 'disabled' ? {} : { ssl: { rejectUnauthorized: verify, verifyIdentity: verify } };
  return { host, user, password, database, ...ssl };
}
