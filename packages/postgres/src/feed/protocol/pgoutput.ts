export class ByteReader {
  readonly bytes: Buffer;
  #offset: number;

  constructor(bytes: Buffer, offset = 0) {
    this.bytes = bytes;
    this.#offset = offset;
  }

  get offset(): number {
    return this.#offset;
  }

  skip(length: number): void {
    this.#offset += length;
  }

  byte(): number {
    return this.bytes.readUInt8(this.#move(1));
  }

  letter(): string {
    return String.fromCharCode(this.byte());
  }

  int16(): number {
    return this.bytes.readInt16BE(this.#move(2));
  }

  int32(): number {
    return this.bytes.readInt32BE(this.#move(4));
  }

  uint32(): number {
    return this.bytes.readUInt32BE(this.#move(4));
  }

  uint64(): bigint {
    return this.bytes.readBigUInt64BE(this.#move(8));
  }

  /** A text that ends with a zero byte. */
  text(): string {
    const start = this.#offset;
    const end = this.bytes.indexOf(0, start);
    if (end < 0) throw new RangeError('A text of the message has no end.');
    this.#offset = end + 1;
    return this.bytes.toString('utf8', start, end);
  }

  times<Value>(count: number, read: () => Value): Value[] {
    const values: Value[] = [];
    // Quicker than `Array.from`, which matters for each written row's columns.
    for (let index = 0; index < count; index++) values.push(read());
    return values;
  }

  #move(length: number): number {
    const start = this.#offset;
    this.#offset += length;
    return start;
  }
}

export interface RelationMessage {
  readonly kind: 'relation';
  readonly oid: number;
  /** In the order of values. Generated columns may be missing. */
  readonly columns: readonly ColumnMessage[];
}

interface ColumnMessage {
  readonly name: string;
  readonly isIdentity: boolean;
}

export interface RowMessage {
  readonly kind: 'insert' | 'update' | 'delete';
  readonly oid: number;
  /** Only the replica identity's columns unless that is FULL; an update may leave it out. */
  readonly old?: RowValues | undefined;
  /** Of a deleted row there is none. */
  readonly row?: RowValues | undefined;
}

export type ChangeMessage =
  /** The id lacks the high half that a snapshot's ids have. */
  | { readonly kind: 'begin'; readonly xid: number }
  /** `endLsn` is where the record after its commit record begins. */
  | { readonly kind: 'commit'; readonly endLsn: bigint }
  | RelationMessage
  | RowMessage
  | { readonly kind: 'truncate'; readonly oids: readonly number[] }
  /** A process began to follow a relation in this transaction: the name has its schema. */
  | { readonly kind: 'following'; readonly relation: string }
  /** Changes no row: a type, a transaction's origin, an application's message. */
  | { readonly kind: 'other' };

/** In the order of columns. Read from the bytes of the message, so only while it is handled. */
export class RowValues {
  readonly #bytes: Buffer;
  readonly #starts: readonly number[];
  readonly #texts: string[] = [];

  constructor(bytes: Buffer, starts: readonly number[]) {
    this.#bytes = bytes;
    this.#starts = starts;
  }

  get count(): number {
    return this.#starts.length;
  }

  /** As printed by the database. Undefined for missing columns and unchanged out-of-line values. */
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

const OTHER = { kind: 'other' } as const;

/** Prefixes messages that name a relation which a process begins to follow. */
export const FOLLOWING = 'dynamic_query.following';

/**
 * https://www.postgresql.org/docs/current/protocol-logicalrep-message-formats.html, version 1
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
  ['I', readChangeOf('insert')],
  ['U', readChangeOf('update')],
  ['D', readChangeOf('delete')],
  ['T', readTruncate],
  ['Y', () => OTHER],
  ['O', () => OTHER],
  ['M', readMessage],
]);

function readBegin(reader: ByteReader): ChangeMessage {
  const commitLsnAndTime = 16;
  reader.skip(commitLsnAndTime);
  return { kind: 'begin', xid: reader.uint32() };
}

function readCommit(reader: ByteReader): ChangeMessage {
  const flagsAndCommitLsn = 9;
  reader.skip(flagsAndCommitLsn);
  return { kind: 'commit', endLsn: reader.uint64() };
}

function readRelation(reader: ByteReader): ChangeMessage {
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

function readChangeOf(kind: RowMessage['kind']): (reader: ByteReader) => RowMessage {
  return (reader) => {
    const oid = reader.uint32();
    const hasOld = reader.letter() !== 'N';
    const old = hasOld ? readRow(reader) : undefined;
    if (kind === 'delete') return { kind, oid, old };
    if (hasOld) reader.letter();
    return { kind, oid, old, row: readRow(reader) };
  };
}

function readTruncate(reader: ByteReader): ChangeMessage {
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
