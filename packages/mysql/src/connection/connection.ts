import { connect, Socket } from 'node:net';

import { Pools, QueryFailedError, type Statement, type Tracing } from '@proj/engine/database';
import {
  type Connection as Driver,
  type ConnectionOptions,
  createConnection,
  type QueryError,
} from 'mysql2';

import { HaltedError, isLost, isStopped, isUnsaid } from './errors.ts';
import { instanceOf, isDirect, proveSession } from './session-proof.ts';
import { type Server, serverOf } from './session.ts';
import type { MysqlAddress } from './url.ts';

const CONNECT_TIMEOUT_MS = 1500;

/** Numbers past 2^53, decimals, dates and JSON come as text. Servers can't read client files. */
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

export type Row = readonly unknown[];

/** As the protocol describes it: https://mariadb.com/kb/en/result-set-packets */
export interface ShownColumn {
  readonly name: string;
  /** Empty for an expression. */
  readonly orgTable: string;
  readonly columnType: number;
  readonly columnLength: number;
  readonly characterSet: number;
  readonly decimals: number;
  readonly flags: number;
}

type Done = (error: QueryError | null, rows?: unknown) => void;

type Values = (string | number | bigint | Buffer | null)[];

export class Connection extends Pools.Connection {
  protected readonly replies: Driver;
  readonly #address: MysqlAddress;
  readonly #socket: Socket;
  #server: Server = serverOf('');
  #threadId = '0';
  #instance: string | undefined;
  #halted = false;
  /** In seconds: the administrator's limit, and the one set now. */
  #administratorsLimit = Infinity;
  #limit = 0;

  private constructor(address: MysqlAddress) {
    super();
    this.#address = address;
    this.#socket = connect(
      address.socket === undefined
        ? { host: address.host, port: address.port }
        : { path: address.socket },
    );
    this.#socket.setNoDelay(true).setKeepAlive(true, 10_000);
    const { user, password, database, tls, host } = address;
    const verify = tls === 'verify-identity';
    const ssl =
      tls === 'disabled' ? {} : { ssl: { rejectUnauthorized: verify, verifyIdentity: verify } };
    const login = { host, user, password, database, ...ssl };
    this.replies = createConnection({ ...DRIVER_OPTIONS, ...login, stream: this.#socket });
    // Without a listener a server that ends an idle connection would end this process too.
    this.replies.on('error', (error: Error) => this.lose(error));
  }

  static open(address: MysqlAddress): Promise<Connection> {
    const connection = new Connection(address);
    return connection.readyWithin(CONNECT_TIMEOUT_MS, () => connection.#setUp());
  }

  get server(): Server {
    return this.#server;
  }

  get threadId(): string {
    return this.#threadId;
  }

  /** Which process of which server answers; undefined where its snapshots have no versions. */
  get instance(): string | undefined {
    return this.#instance;
  }

  /** A statement that failed may have left a transaction open. */
  needsRollback(failed: boolean): boolean {
    return failed || this.mayBeInTransaction;
  }

  /** Only this protocol brings FLOAT without loss. Above `maxBytes` it closes the connection. */
  execute(statement: Statement, maxBytes = Infinity): Promise<Row[]> {
    const { sql, parameters } = statement;
    const values = parameters as Values;
    const run = (): Promise<Row[]> =>
      answerOf((done) => this.replies.execute({ sql, values, rowsAsArray: true }, done));
    return this.send(statement, () =>
      maxBytes === Infinity ? run() : this.#readWithin(maxBytes, run),
    );
  }

  /** The columns of a statement's rows. It is prepared, and does not run. */
  columns(sql: string): Promise<readonly ShownColumn[]> {
    return this.send({ sql }, () => {
      const { promise, resolve, reject } = Promise.withResolvers<readonly ShownColumn[]>();
      this.replies.prepare(sql, (error, statement) => {
        if (error !== null && error !== undefined) return reject(error);
        resolve((statement as unknown as { columns: ShownColumn[] }).columns);
        statement.close();
      });
      return promise;
    });
  }

  rows(statement: Statement, take: (row: Row) => Promise<void> | undefined): Promise<number> {
    const { sql, parameters } = statement;
    return this.sendForRows(statement, take, (onRow) =>
      answerOf((done) => {
        const values = parameters as Values;
        const command = this.replies.execute({ sql, values, rowsAsArray: true });
        command.on('result', onRow);
        command.on('error', done);
        command.on('end', () => done(null));
      }),
    );
  }

  command(sql: string): Promise<Row[]> {
    return this.send({ sql }, () =>
      answerOf((done) => this.replies.query({ sql, rowsAsArray: true }, done)),
    );
  }

  /** Lets the server end overlong statements itself, in case nobody can stop them from here. */
  async limitStatements(milliseconds: number): Promise<void> {
    // Powers of two, so that the limit seldom changes and is seldom sent.
    const limit = Math.min(
      this.#administratorsLimit,
      2 ** Math.ceil(Math.log2(milliseconds / 1000 + 1)),
    );
    if (limit === this.#limit) return;
    await this.#try(this.#server.limitStatements(limit));
    this.#limit = limit;
  }

  halt(): void {
    this.#halted = true;
  }

  /** A late kill may fall on the statement that rolls back. */
  async rollBack(): Promise<boolean> {
    this.#halted = false;
    try {
      await this.command('rollback').catch((error: unknown) => {
        if (!isStopped(error)) throw error;
        return this.command('rollback');
      });
      this.mayBeInTransaction = false;
      return true;
    } catch {
      return false;
    }
  }

  protected get address(): Tracing.DatabaseAddress {
    const { database: namespace, socket, host, port } = this.#address;
    const { product: system } = this.#server;
    return {
      system,
      namespace,
      ...(socket === undefined ? { address: host, port } : { address: socket }),
    };
  }

  protected isLostBy(error: unknown): boolean {
    return isLost(error);
  }

  protected hangUp(): void {
    this.replies.destroy();
    this.#socket.destroy();
  }

  protected override whileAlive<Value>(run: () => Promise<Value>): Promise<Value> {
    return super.whileAlive(() => {
      if (this.#halted) throw new HaltedError();
      return run();
    });
  }

  async #setUp(): Promise<void> {
    await this.whileAlive(() => answerOf((done) => this.replies.connect(done)));
    const [[version, threadId] = []] = await this.command('select version(), connection_id()');
    this.#server = serverOf(String(version));
    this.#threadId = String(threadId);
    for (const statement of this.#server.required) await this.command(statement);
    for (const statement of this.#server.helpful) await this.#try(statement);
    const [[limit] = []] = await this.#try(this.#server.administratorsLimit);
    this.#administratorsLimit = Number(limit) || Infinity;
    const { instance = '' } = this.#server;
    const answer = instance === '' ? [] : await this.#try(instance);
    const { threadId: greetedAs } = this.replies;
    const reached = { threadId: this.#threadId, greetedAs, answer };
    this.#instance = instanceOf(reached);
    if (!isDirect(reached)) await proveSession((sql) => this.command(sql));
  }

  /** The driver buffers a whole reply, so a reply that is too long can only be cut off. */
  async #readWithin(maxBytes: number, run: () => Promise<Row[]>): Promise<Row[]> {
    // The driver puts TLS around the socket.
    const stream: unknown = Reflect.get(this.replies, 'stream');
    const socket = stream instanceof Socket ? stream : this.#socket;
    let remaining = maxBytes;
    const count = ({ length }: Buffer): void => {
      remaining -= length;
      if (remaining < 0)
        this.destroy(
          new QueryFailedError('reply_too_large', `The rows take more than ${maxBytes} bytes.`),
        );
      else this.count(length);
    };
    socket.on('data', count);
    try {
      return await run();
    } finally {
      socket.off('data', count);
    }
  }

  async #try(statement: string): Promise<Row[]> {
    return this.command(statement).catch((error: unknown) => {
      if (isLost(error) || isUnsaid(error)) throw error;
      return [];
    });
  }
}

function answerOf(start: (done: Done) => void): Promise<Row[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Row[]>();
  start((error, rows) => {
    if (error !== null && error !== undefined) reject(error);
    else resolve(Array.isArray(rows) ? (rows as Row[]) : []);
  });
  return promise;
}
