import { hash } from 'node:crypto';
import { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

import { Pools, QueryFailedError, type Statement, type Tracing } from '@proj/engine/database';
import { Client, type ClientConfig, Query, type QueryArrayConfig } from 'pg';

import { backendKeyOf, sendCancelRequest } from './cancel-request.ts';
import { isLost, sqlState } from './errors.ts';
import type { SessionTerms } from './session.ts';

export type Row = readonly (string | null)[];

export type AskRow = (statement: Statement) => Promise<Row>;

/** Every value stays the text that the database sent. */
export const AS_TEXT = { getTypeParser: () => String };

/** Servers keep a plan for each named statement; more are sent without a name. */
const MOST_NAMED = 200;

/** Both sides keep the text of a named statement; longer ones get no name. */
const LONGEST_NAMED = 8192;

const CONNECT_MS = 2000;

/** Server processes grow with age, and connections should move back after a failover. */
const LIFETIME_MS = 30 * 60_000;

export class Connection extends Pools.Connection {
  protected readonly address: Tracing.DatabaseAddress;
  readonly #client: Client;
  readonly #named = new Map<string, string>();
  readonly #retiresAt = performance.now() + LIFETIME_MS;
  #terms: SessionTerms | undefined;
  #isOutdated = (): boolean => false;

  private constructor(client: Client) {
    super();
    this.#client = client;
    const { database: namespace, host: address, port } = client;
    this.address = { system: 'postgresql', namespace, address, port };
    // Otherwise the loss of an idle connection would end the process.
    client.on('error', (error) => this.lose(error));
    client.on('end', () => this.lose('The connection was closed.'));
  }

  /** Its limit includes the login. `prepare` finds out what the session keeps. */
  static open(
    config: ClientConfig,
    prepare: (connection: Connection) => Promise<SessionTerms>,
  ): Promise<Connection> {
    const client = new Client({ ...config, types: AS_TEXT, keepAlive: true, pipeline: true });
    const connection = new Connection(client);
    return connection.readyWithin(CONNECT_MS, async () => {
      await connection.whileAlive(() => client.connect());
      client.connection.stream.on('data', ({ length }: Buffer) => connection.count(length));
      connection.#terms = await prepare(connection);
    });
  }

  override get alive(): boolean {
    return super.alive && !this.#isOutdated() && performance.now() < this.#retiresAt;
  }

  outdatedWhen(isOutdated: () => boolean): void {
    this.#isOutdated = isOutdated;
  }

  get terms(): SessionTerms {
    if (this.#terms === undefined) throw new Error('The session is not open yet.');
    return this.#terms;
  }

  /** For cancel requests; a pooler gives numbers of its own. */
  get processId(): number {
    return backendKeyOf(this.#client).processId;
  }

  get localPort(): number | undefined {
    const { replies } = this;
    return replies instanceof Socket ? replies.localPort : undefined;
  }

  needsRollback(): boolean {
    return super.alive && this.#client.getTransactionStatus() !== 'I';
  }

  rollBack(): Promise<boolean> {
    return this.command('rollback').then(
      () => true,
      () => false,
    );
  }

  /** Sends the statement at once, behind earlier ones; `named` keeps its plan under a name. */
  query(statement: Statement, named: boolean): Promise<Row> {
    const { sql, parameters } = statement;
    return this.send(statement, async () => {
      const name = named ? this.#nameOf(sql) : undefined;
      const values = [...parameters];
      const query = { name, text: sql, values, rowMode: 'array' } as const;
      const result = await this.#client.query<string[]>(query);
      if (Array.isArray(result)) {
        // The next answer may belong to another statement, too.
        const error = new Pools.ConnectionLostError('A statement was answered more than once.');
        this.destroy(error);
        throw error;
      }
      const { rows } = result;
      if (rows.length > 1) throw severalRows(rows.length);
      return rows[0] ?? [];
    });
  }

  rows(statement: Statement, take: (row: Row) => Promise<void> | undefined): Promise<number> {
    const { sql: text, parameters } = statement;
    return this.sendForRows(statement, take, (onRow) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const config: QueryArrayConfig = { text, values: [...parameters], rowMode: 'array' };
      const query = new Query<string[]>(config);
      query.on('row', onRow);
      query.on('end', () => resolve());
      query.on('error', reject);
      this.#client.query(query);
      return promise;
    });
  }

  /** In one write: the driver's one a statement took half the CPU time of callers' short reads. */
  sendTogether(): void {
    const { replies: stream } = this;
    stream.cork();
    process.nextTick(() => stream.uncork());
  }

  /** For statements without parameters and answers; otherwise as {@link query}. */
  async command(sql: string): Promise<void> {
    await this.send({ sql }, () => this.#client.query(sql));
  }

  /** During a failover a proxy or pooler may lead to a standby that is not yet promoted. */
  async begin(sql: string): Promise<void> {
    await this.command(sql).catch((error: unknown) => {
      if (sqlState(error) !== '0A000') throw error;
      const message = 'The server is a standby, where the URL asks for a primary by';
      throw new QueryFailedError('database_unavailable', `${message} target_session_attrs.`);
    });
  }

  /** Resolves to whether the server heard of it in time; only then may another statement begin. */
  cancel(timeoutMs: number): Promise<boolean> {
    return sendCancelRequest(this.#client, timeoutMs);
  }

  protected get replies(): Client['connection']['stream'] {
    return this.#client.connection.stream;
  }

  protected isLostBy(error: unknown): boolean {
    return isLost(error);
  }

  protected hangUp(): void {
    this.replies.destroy();
  }

  #nameOf(sql: string): string | undefined {
    const known = this.#named.get(sql);
    if (known !== undefined || this.#named.size >= MOST_NAMED || sql.length > LONGEST_NAMED)
      return known;
    const name = `dynamic_query_${hash('sha256', sql, 'base64url').slice(0, 20)}`;
    this.#named.set(sql, name);
    return name;
  }
}

/** As from a proxy that asks several servers and leaves adding up to the caller. */
function severalRows(rows: number): QueryFailedError {
  return new QueryFailedError(
    'model_unreadable',
    `The database gave ${rows} rows where a statement has one: ` +
      'what is before it leads statements to several servers.',
  );
}
