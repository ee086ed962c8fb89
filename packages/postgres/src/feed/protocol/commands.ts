import type { Statement } from '@proj/engine/database';
import { Client, type ClientConfig } from 'pg';

import { AS_TEXT, type Row } from '../../connection/connection.ts';
import { backendKeyOf } from '../../connection/cancel-request.ts';
import { FEED_SETTINGS, OWN_SESSION_SETTINGS, startUpOptions } from '../../connection/session.ts';

/** The feed's transactions end with a flushed commit, which no slow standby must hold up. */
const SETTINGS = new Map([
  ...FEED_SETTINGS,
  ...OWN_SESSION_SETTINGS,
  ['default_transaction_read_only', 'off'],
  ['search_path', 'pg_catalog'],
  ['synchronous_commit', 'local'],
  ['statement_timeout', '10000'],
  ['idle_in_transaction_session_timeout', '0'],
]);

/** In milliseconds; a server that lets nobody in for longer is taken for lost. */
const CONNECT_LIMIT = { connectionTimeoutMillis: 15_000 };

/** A connection to the server that is followed, which is not opened again. */
export class FeedConnection {
  readonly ended: Promise<Error>;
  protected readonly client: Client;

  constructor(
    { options, ...config }: ClientConfig,
    settings: ReadonlyMap<string, string>,
    own: ClientConfig & { readonly replication?: string },
  ) {
    const startUp = { options: startUpOptions(settings, options), keepAlive: true };
    this.client = new Client({ ...CONNECT_LIMIT, ...config, ...startUp, ...own });
    const { promise, resolve } = Promise.withResolvers<Error>();
    this.client.on('error', resolve);
    this.client.on('end', () => resolve(new Error('the server closed the connection')));
    this.ended = promise;
  }

  get processId(): number {
    return backendKeyOf(this.client).processId;
  }

  connect(): Promise<unknown> {
    return this.client.connect();
  }

  destroy(): void {
    this.client.connection.stream.destroy();
  }
}

/** Asks the server, beside the connection that follows its changes. */
export class CommandConnection extends FeedConnection {
  constructor(config: ClientConfig) {
    super(config, SETTINGS, { types: AS_TEXT, pipeline: true });
  }

  async ask({ sql, parameters }: Statement): Promise<Row> {
    const { rows } = await this.client.query<string[]>({
      text: sql,
      values: [...parameters],
      rowMode: 'array',
    });
    return rows[0] ?? [];
  }

  async askInSnapshot(statements: readonly Statement[]): Promise<Row[]> {
    const begun = this.ask({ sql: 'begin isolation level repeatable read', parameters: [] });
    const asked = statements.map((statement) => this.ask(statement));
    const ended = this.ask({ sql: 'commit', parameters: [] });
    const [, ...rows] = await Promise.all([begun, ...asked, ended]);
    return rows.slice(0, statements.length);
  }
}
