import { Client } from 'pg';

const ADD = 'insert into ledger values ($1, $2) on conflict do nothing';

/** So long an answer may take, in milliseconds, before another connection is tried. */
const PATIENCE_MS = 2000;

/** Adds records to the ledger of a PostgreSQL server, and connects again after each error. */
export class PostgresWriter {
  readonly #url: string;
  #client: Client | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  async add(id: number): Promise<void> {
    try {
      this.#client ??= await this.#connect();
      await this.#client.query(ADD, [id, 'word']);
    } catch (error) {
      await this.end();
      throw error;
    }
  }

  async end(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    client?.connection.stream.destroy();
  }

  async #connect(): Promise<Client> {
    const client = new Client({
      connectionString: this.#url,
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
    });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }
}
