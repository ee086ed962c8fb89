import { ByteReader } from './byte-reader.ts';

/** A transaction that committed; its changes follow. */
export interface BeginMessage {
  readonly kind: 'begin';
  /** The id of the transaction, without the high half that a snapshot's ids have. */
  readonly xid: number;
}

/** The end of a transaction. */
export interface CommitMessage {
  readonly kind: 'commit';
  /** Where the record behind its commit record begins. */
  readonly endLsn: bigint;
}

/** What the rows of a relation are like from here on. */
export interface RelationMessage {
  readonly kind: 'relation';
  readonly oid: number;
  /** Columns in the order of the values. Generated ones may be missing. */
  readonly columns: readonly ColumnMessage[];
}

/** A column of a relation. */
export interface ColumnMessage {
  readonly name: string;
  /** Whether it is a part of the replica identity. */
  readonly isIdentity: boolean;
}

/** A row that was written. */
export interface InsertMessage {
  readonly kind: 'insert';
  readonly oid: number;
  readonly row: RowValues;
}

/** A row that was written over. */
export interface UpdateMessage {
  readonly kind: 'update';
  readonly oid: number;
  /**
   * The row as it was: only the columns of the replica identity unless that is FULL, and undefined
   * where those have not changed.
   */
  readonly old: RowValues | undefined;
  readonly row: RowValues;
}

/** A row that was deleted. */
export interface DeleteMessage {
  readonly kind: 'delete';
  readonly oid: number;
  /** The row as it was; only the columns of the replica identity unless that is FULL. */
  readonly old: RowValues;
}

/** Relations that were emptied, in one statement. */
export interface TruncateMessage {
  readonly kind: 'truncate';
  readonly oids: readonly number[];
}

/** A process began to follow a relation, in this transaction. */
export interface FollowingMessage {
  readonly kind: 'following';
  /** Identifies the relation with its schema. */
  readonly relation: string;
}

/** What changes no row: a type, the origin of a transaction, a message of an application. */
export interface OtherMessage {
  readonly kind: 'other';
}

export type ChangeMessage =
  | BeginMessage
  | CommitMessage
  | RelationMessage
  | InsertMessage
  | UpdateMessage
  | DeleteMessage
  | TruncateMessage
  | FollowingMessage
  | OtherMessage;

/**
 * The values of a row, in the order of the relation's columns. They are read from the bytes of the
 * message, and so no later than the message itself.
 */
export class RowValues {
  readonly #bytes: Buffer;
  /** Where each value begins. */
  readonly #starts: readonly number[];
  /** Those that somebody asked for. */
  readonly #texts: string[] = [];

  constructor(bytes: Buffer, starts: readonly number[]) {
    this.#bytes = bytes;
    this.#starts = starts;
  }

  get count(): number {
    return this.#starts.length;
  }

  /**
   * A value as the database prints it. Undefined where the message does not say: there is no such
   * column, or a value that is stored apart from its row was not changed.
   */
  text(column: number): string | null | undefined {
    const start = this.#starts[column];
    if (start === undefined) return undefined;
    const kind = this.#bytes[start];
    if (kind === NULL) return null;
    if (kind === UNCHANGED) return undefined;
    const begin = start + 5;
    return (this.#texts[column] ??= this.#bytes.toString(
      'utf8',
      begin,
      begin + this.#bytes.readInt32BE(start + 1),
    ));
  }
}

/** The letters `n`, `u` and `t`. */
const [NULL, UNCHANGED, TEXT] = [0x6e, 0x75, 0x74];

const OTHER: OtherMessage = { kind: 'other' };

/** The prefix of messages that say which relation a process begins to follow. */
export const FOLLOWING = 'dynamic_query.following';

/**
 * Reads one message of `pgoutput`, protocol version 1:
 * https://www.postgresql.org/docs/current/protocol-logicalrep-message-formats.html
 *
 * @throws {RangeError} when the bytes are none
 */
export function readChangeMessage(bytes: Buffer): ChangeMessage {
  const reader = new ByteReader(bytes);
  const read = READERS.get(reader.letter());
  if (read === undefined) throw new RangeError('A message of the change log is of no known kind.');
  return read(reader);
}

const READERS = new Map<string, (reader: ByteReader) => ChangeMessage>([
  ['B', readBegin],
  ['C', readCommit],
  ['R', readRelation],
  ['I', readInsert],
  ['U', readUpdate],
  ['D', readDelete],
  ['T', readTruncate],
  ['Y', () => OTHER],
  ['O', () => OTHER],
  ['M', readMessage],
]);

function readBegin(reader: ByteReader): BeginMessage {
  const commitLsnAndTime = 16;
  reader.skip(commitLsnAndTime);
  return { kind: 'begin', xid: reader.uint32() };
}

function readCommit(reader: ByteReader): CommitMessage {
  const flagsAndCommitLsn = 9;
  reader.skip(flagsAndCommitLsn);
  return { kind: 'commit', endLsn: reader.uint64() };
}

function readRelation(reader: ByteReader): RelationMessage {
  const oid = reader.uint32();
  reader.text();
  reader.text();
  const replicaIdentity = 1;
  reader.skip(replicaIdentity);
  const columns = reader.times(reader.int16(), () => readColumn(reader));
  return { kind: 'relation', oid, columns };
}

function readColumn(reader: ByteReader): ColumnMessage {
  const isIdentity = (reader.byte() & 1) === 1;
  const name = reader.text();
  const typeAndModifier = 8;
  reader.skip(typeAndModifier);
  return { name, isIdentity };
}

function readInsert(reader: ByteReader): InsertMessage {
  const oid = reader.uint32();
  reader.letter();
  return { kind: 'insert', oid, row: readRow(reader) };
}

function readUpdate(reader: ByteReader): UpdateMessage {
  const oid = reader.uint32();
  const part = reader.letter();
  const old = part === 'N' ? undefined : readRow(reader);
  if (old !== undefined) reader.letter();
  return { kind: 'update', oid, old, row: readRow(reader) };
}

function readDelete(reader: ByteReader): DeleteMessage {
  const oid = reader.uint32();
  reader.letter();
  return { kind: 'delete', oid, old: readRow(reader) };
}

function readTruncate(reader: ByteReader): TruncateMessage {
  const count = reader.int32();
  const options = 1;
  reader.skip(options);
  return { kind: 'truncate', oids: reader.times(count, () => reader.uint32()) };
}

function readMessage(reader: ByteReader): ChangeMessage {
  const isTransactional = reader.byte() !== 0;
  const lsn = 8;
  reader.skip(lsn);
  if (!isTransactional || reader.text() !== FOLLOWING) return OTHER;
  const length = reader.int32();
  const { bytes, offset } = reader;
  return { kind: 'following', relation: bytes.toString('utf8', offset, offset + length) };
}

function readRow(reader: ByteReader): RowValues {
  const starts = reader.times(reader.int16(), () => {
    const start = reader.offset;
    const kind = reader.byte();
    if (kind === TEXT) reader.skip(reader.int32());
    return start;
  });
  return new RowValues(reader.bytes, starts);
}
