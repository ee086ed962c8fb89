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
