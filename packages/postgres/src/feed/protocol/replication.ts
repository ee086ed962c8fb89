import type { Statement } from '@proj/engine/database';
import type { ClientConfig } from 'pg';

import { sendCancelRequest } from '../../connection/cancel-request.ts';
import { FEED_SETTINGS } from '../../connection/session.ts';
import { ByteReader, type ChangeMessage, readChangeMessage } from './pgoutput.ts';
import { CommandConnection, FeedConnection } from './commands.ts';
import { type Lsn, parseLsn } from '../../log/lsn.ts';

/** Milliseconds between confirmations up to where the server may drop its log. */
const STATUS_MS = 1000;

const CANCEL_MS = 5000;

/** In milliseconds. Otherwise a suspended process makes the server keep its log. */
export const SENDER_TIMEOUT_MS = 10_000;

/** The second limits how long an ending server process waits for its last bytes to be read. */
const SENDER_TIMEOUTS = ['wal_sender_timeout', 'tcp_user_timeout'] as const;

/** Gets what the server sends, in commit order. */
export interface ChangeListener {
  onMessage(message: ChangeMessage): void;
  /** All transactions up to here have been handed over. */
  onPosition(position: Lsn): void;
}

interface FollowedLog {
  readonly publication: string;
  readonly serverVersion: number;
}

/** Follows the change log; hands messages on as they arrive. Only a suspended process pauses it. */
export class ReplicationConnection extends FeedConnection {
  #position: Lsn = 0n;
  #isInTransaction = false;
  #isCreatingSlot = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(config: ClientConfig, senderTimeoutMs = SENDER_TIMEOUT_MS) {
    const timeouts = SENDER_TIMEOUTS.map((name) => [name, String(senderTimeoutMs)] as const);
    super(config, new Map([...FEED_SETTINGS, ...timeouts]), { replication: 'database' });
  }

  get position(): Lsn {
    return this.#position;
  }

  /** The slot ends with the connection. Its creation waits for transactions that write now. */
  async createSlot(name: string): Promise<void> {
    this.#isCreatingSlot = true;
    const { rows } = await this.client.query<{ consistent_point: string }>(
      `CREATE_REPLICATION_SLOT ${name} TEMPORARY LOGICAL pgoutput NOEXPORT_SNAPSHOT`,
    );
    this.#isCreatingSlot = false;
    this.#position = parseLsn(rows[0]?.consistent_point ?? '0/0');
  }

  /** Follows a publication and the messages of all who follow, since the slot's creation. */
  async start(slot: string, followed: FollowedLog, listener: ChangeListener): Promise<void> {
    const { connection } = this.client;
    const { promise: started, resolve } = Promise.withResolvers<void>();
    connection.once('replicationStart', resolve);
    connection.on('copyData', ({ chunk }: { readonly chunk: Buffer }) => {
      try {
        const reader = new ByteReader(chunk);
        if (reader.letter() === 'w') this.#takeChange(reader, listener);
        else this.#takeKeepalive(reader, listener);
      } catch (error) {
        connection.stream.destroy(error instanceof Error ? error : undefined);
      }
    });
    const following = this.client.query(
      `START_REPLICATION SLOT ${slot} LOGICAL 0/0 (${optionsOf(followed)})`,
    );
    await Promise.race([started, following]);
    following.catch(() => connection.stream.destroy());
    this.#timer = setInterval(() => this.#confirm(), STATUS_MS);
  }

  override destroy(): void {
    clearInterval(this.#timer);
    // A server that waits for transactions does not notice a closed connection.
    if (this.#isCreatingSlot) void sendCancelRequest(this.client, CANCEL_MS);
    super.destroy();
  }

  #takeChange(reader: ByteReader, listener: ChangeListener): void {
    const positionsAndTime = 24;
    reader.skip(positionsAndTime);
    const message = readChangeMessage(reader.bytes.subarray(reader.offset));
    listener.onMessage(message);
    if (message.kind === 'begin') this.#isInTransaction = true;
    if (message.kind !== 'commit') return;
    this.#isInTransaction = false;
    this.#advance(message.endLsn, listener);
  }

  #takeKeepalive(reader: ByteReader, listener: ChangeListener): void {
    const sent = reader.uint64();
    const time = 8;
    reader.skip(time);
    const wantsReply = reader.byte() !== 0;
    if (!this.#isInTransaction) this.#advance(sent, listener);
    if (wantsReply) this.#confirm();
  }

  #advance(position: Lsn, listener: ChangeListener): void {
    if (position <= this.#position) return;
    this.#position = position;
    listener.onPosition(position);
  }

  /** The server keeps its log from the flushed position on. */
  #confirm(): void {
    const { stream } = this.client.connection;
    if (stream.writable) stream.write(standbyStatus(this.#position));
  }
}

/** Messages can be followed since PostgreSQL 14. */
const FIRST_WITH_MESSAGES = 140_000;

function optionsOf({ publication, serverVersion }: FollowedLog): string {
  // Quoted names within a quoted text.
  const names = `"${publication.replaceAll('"', '""')}"`.replaceAll("'", "''");
  const options = `proto_version '1', publication_names '${names}'`;
  return serverVersion < FIRST_WITH_MESSAGES ? options : `${options}, messages 'true'`;
}

/** Within the copy protocol: https://www.postgresql.org/docs/current/protocol-replication.html */
function standbyStatus(position: Lsn): Buffer {
  const payload = 34;
  const message = Buffer.alloc(5 + payload);
  message.write('d');
  message.writeInt32BE(4 + payload, 1);
  message.write('r', 5);
  const [written, flushed, applied] = [6, 14, 22];
  for (const place of [written, flushed, applied]) message.writeBigUInt64BE(position, place);
  return message;
}

/** Those that end with a session. */
export class FeedConnections {
  readonly commands: CommandConnection;
  readonly replication: ReplicationConnection;
  readonly #client: ClientConfig;
  readonly #holders = new Set<CommandConnection>();
  #isClosed = false;

  constructor(client: ClientConfig) {
    this.commands = new CommandConnection(client);
    this.replication = new ReplicationConnection(client);
    this.#client = client;
  }

  /** Opens one that can hold a snapshot. */
  async openHolder(): Promise<CommandConnection> {
    const holder = new CommandConnection(this.#client);
    this.#holders.add(holder);
    await holder.connect();
    await holder.ask(WITHOUT_TIME_LIMIT);
    if (this.#isClosed) holder.destroy();
    return holder;
  }

  close(): void {
    this.#isClosed = true;
    for (const connection of [this.commands, this.replication, ...this.#holders])
      connection.destroy();
  }
}

/** The server's limit on transactions, since PostgreSQL 17. */
const WITHOUT_TIME_LIMIT: Statement = {
  sql: `select set_config(name, '0', false) from pg_settings where name = 'transaction_timeout'`,
  parameters: [],
};
