import { hash } from 'node:crypto';
import { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

import { type Pools, QueryFailedError, type Statement, Tracing } from '@proj/engine/database';
import { Client, type ClientConfig, Query, type QueryArrayConfig } from 'pg';

import { backendKeyOf, sendCancelRequest } from './cancel-request.ts';
import { ConnectionLostError } from './errors.ts';
import type { SessionTerms } from './session.ts';

/** A row: each value in the database's own text form. */
export type Row = readonly (string | null)[];

/** Every value stays the text that the database sent. */
const AS_TEXT = { getTypeParser: () => String };

/**
 * A server keeps the plan of each prepared statement; shapes beyond these are sent without a name.
 */
const MOST_NAMED = 200;

/** Both sides keep the text of a statement that has a name; one that is longer is sent without. */
const LONGEST_NAMED = 8192;

/**
 * A server process grows with what it has seen, and after a failover connections should move back.
 */
const LIFETIME_MS = 30 * 60_000;

/** A session of a PostgreSQL server. */
export class Connection implements Pools.PooledConnection {
  replyRead: Pools.ReplyRead | undefined;
  readonly #client: Client;
  readonly #address: Tracing.DatabaseAddress;
  readonly #named = new Map<string, string>();
  readonly #retiresAt = performance.now() + LIFETIME_MS;
  #terms: SessionTerms | undefined;
  #lost: Error | undefined;
  #givenUp = false;
  #isOutdated = (): boolean => false;

  private constructor(client: Client) {
    this.#client = client;
    const { database: namespace, host: address, port } = client;
    this.#address = { system: 'postgresql', namespace, address, port };
    // Without a listener the loss of an idle connection would end the process.
    client.on('error', (error) => (this.#lost ??= error));
    client.on('end', () => (this.#lost ??= new ConnectionLostError('The connection was closed.')));
  }

  /**
   * Opens a session within a time, login included.
   *
   * @param prepare finds out what the session keeps
   */
  static async open(
    config: ClientConfig,
    timeoutMs: number,
    prepare: (connection: Connection) => Promise<SessionTerms>,
  ): Promise<Connection> {
    const client = new Client({ ...config, types: AS_TEXT, keepAlive: true, pipeline: true });
    const connection = new Connection(client);
    const timer = setTimeout(
      () => connection.destroy(new ConnectionLostError('The database did not let us in in time.')),
      timeoutMs,
    );
    try {
      await client.connect();
      client.connection.stream.on('data', ({ length }: Buffer) => {
        const taking = connection.replyRead?.add(length);
        if (taking !== undefined) void connection.#waitForMemory(taking);
      });
      connection.#terms = await prepare(connection);
      return connection;
    } catch (error) {
      const explained = connection.#explained(error);
      connection.destroy();
      throw explained;
    } finally {
      clearTimeout(timer);
    }
  }

  get alive(): boolean {
    const isUsable = this.#lost === undefined && !this.#isOutdated();
    return isUsable && performance.now() < this.#retiresAt;
  }

  /** It takes no more queries as soon as this is true. */
  outdatedWhen(isOutdated: () => boolean): void {
    this.#isOutdated = isOutdated;
  }

  /** Whether it was lost without our doing. */
  get broke(): boolean {
    return this.#lost !== undefined && !this.#givenUp;
  }

  /** What of this session lasts from one statement to the next. */
  get terms(): SessionTerms {
    if (this.#terms === undefined) throw new Error('The session is not open yet.');
    return this.#terms;
  }

  /** The server process that cancel requests are for; a pooler gives numbers of its own. */
  get processId(): number {
    return backendKeyOf(this.#client).processId;
  }

  /** Our port of the connection; undefined on a socket that has none. */
  get localPort(): number | undefined {
    const { stream } = this.#client.connection;
    return stream instanceof Socket ? stream.localPort : undefined;
  }

  /** Whether a transaction is open, failed or not. */
  get inTransaction(): boolean {
    return this.#lost === undefined && this.#client.getTransactionStatus() !== 'I';
  }

  onLost(listener: () => void): void {
    if (this.#lost === undefined) this.#client.once('end', listener);
    else listener();
  }

  /**
   * Gives the only row. The statement is sent at once, behind those that wait for their answers;
   * where `named` says so, it keeps its plan under a name.
   */
  query(statement: Statement, named: boolean): Promise<Row> {
    const { sql: text, relations } = statement;
    const facts = { database: this.#address, text, relations };
    return Tracing.traceStatement(facts, () => this.#query(statement, named));
  }

  /**
   * Gives the rows one by one, in the server's order, and asks for no more while `take` has not
   * taken the last one. Those that have arrived by then still come.
   *
   * @param take returns what to wait for before the next row; undefined where that may come at once
   * @returns how many rows there were
   * @throws what `take` rejects with; the connection is given up then
   */
  rows(statement: Statement, take: (row: Row) => Promise<void> | undefined): Promise<number> {
    const { sql: text, relations } = statement;
    const facts = { database: this.#address, text, relations };
    return Tracing.traceStatement(facts, () => this.#rows(statement, take));
  }

  /**
   * What is sent before the event loop goes on travels in one write to the socket. The driver makes
   * one of each statement, which took half of the processor time of short reads as a caller.
   */
  sendTogether(): void {
    const { stream } = this.#client.connection;
    stream.cork();
    process.nextTick(() => stream.uncork());
  }

  /** Sends statements that have no parameters and answer nothing; otherwise as {@link query}. */
  command(text: string): Promise<void> {
    const facts = { database: this.#address, text, relations: undefined };
    return Tracing.traceStatement(facts, () => this.#command(text));
  }

  async #query({ sql, parameters }: Statement, named: boolean): Promise<Row> {
    try {
      const name = named ? this.#nameOf(sql) : undefined;
      const result = await this.#client.query<string[]>({
        name,
        text: sql,
        values: [...parameters],
        rowMode: 'array',
      });
      if (Array.isArray(result)) throw this.#outOfStep();
      const { rows } = result;
      if (rows.length > 1) throw severalRows(rows.length);
      return rows[0] ?? [];
    } catch (error) {
      throw this.#explained(error);
    }
  }

  async #rows(
    { sql: text, parameters }: Statement,
    take: (row: Row) => Promise<void> | undefined,
  ): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { stream } = this.#client.connection;
    let rows = 0;
    let taking: Promise<void> | undefined;
    const follow = async (taken: Promise<void>): Promise<void> => {
      stream.pause();
      try {
        await taken;
      } catch (error) {
        reject(error);
        this.destroy();
      }
      if (taking === taken) stream.resume();
    };
    const config: QueryArrayConfig = { text, values: [...parameters], rowMode: 'array' };
    const query = new Query<string[]>(config);
    query.on('row', (row: Row) => {
      rows += 1;
      const taken = take(row);
      if (taken === undefined) return;
      taking = taken;
      void follow(taken);
    });
    query.on('end', () => resolve());
    query.on('error', (error) => reject(error));
    try {
      this.#client.query(query);
      await promise;
      await taking;
      return rows;
    } catch (error) {
      throw this.#explained(error);
    }
  }

  /** Reads no further before there is memory for it. */
  async #waitForMemory(taking: Promise<void>): Promise<void> {
    const { stream } = this.#client.connection;
    stream.pause();
    try {
      await taking;
      stream.resume();
    } catch (error) {
      this.destroy(error instanceof Error ? error : undefined);
    }
  }

  async #command(sql: string): Promise<void> {
    try {
      await this.#client.query(sql);
    } catch (error) {
      throw this.#explained(error);
    }
  }

  /**
   * Stops what runs. Resolves with whether the server heard of it in time; only then may another
   * statement begin.
   */
  cancel(timeoutMs: number): Promise<boolean> {
    return sendCancelRequest(this.#client, timeoutMs);
  }

  /** Closes the connection at once, with whatever runs on it. */
  destroy(reason: Error = new ConnectionLostError('The connection was given up.')): void {
    this.#givenUp ||= this.#lost === undefined;
    this.#lost ??= reason;
    this.#client.connection.stream.destroy();
  }

  /** What comes next on the connection may be the answer to another statement, too. */
  #outOfStep(): Error {
    const error = new ConnectionLostError('A statement was answered more than once.');
    this.destroy(error);
    return error;
  }

  #nameOf(sql: string): string | undefined {
    const known = this.#named.get(sql);
    if (known !== undefined || this.#named.size >= MOST_NAMED || sql.length > LONGEST_NAMED)
      return known;
    const name = `dynamic_query_${hash('sha256', sql, 'base64url').slice(0, 20)}`;
    this.#named.set(sql, name);
    return name;
  }

  /** The driver words the loss of a connection as a plain error. */
  #explained(error: unknown): unknown {
    if (this.#lost instanceof ConnectionLostError || this.#lost instanceof QueryFailedError)
      return this.#lost;
    const dropped =
      error instanceof Error &&
      !('code' in error) &&
      /^(Connection terminated|Client has encountered|timeout exp)/.test(error.message);
    return dropped ? new ConnectionLostError(error.message) : error;
  }
}

/** As a proxy gives it that asks several servers, and leaves it to the caller to add them up. */
function severalRows(rows: number): QueryFailedError {
  return new QueryFailedError(
    'model_unreadable',
    `The database gave ${rows} rows where a statement has one: ` +
      'what is before it leads statements to several servers.',
  );
}
