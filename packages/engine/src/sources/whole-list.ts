import type { Deadline } from '../deadline.ts';
import type { Callers } from './callers.ts';

/** Some records of a list: their JSON texts, each with a line feed after it. */
export interface RecordLines {
  readonly text: string;
  readonly records: number;
}

/** What is known of a list before its first record. */
export interface ListBeginning {
  /** How many records follow. */
  readonly total: bigint;
  /** The version of the data that is read; undefined where the database reports none. */
  readonly version: string | undefined;
  /** As {@link WholeListStatements.misfit} finds it. */
  readonly misfit?: bigint | undefined;
}

/** Where the records of a whole list go. */
export interface ListSink {
  /**
   * Called once, before the first records are written.
   *
   * @throws what ends the reading, such as a total that is larger than the caller may have
   */
  begin(beginning: ListBeginning): Promise<void>;
  /** Takes the next records; resolves when it takes more. */
  write(lines: RecordLines): Promise<void>;
}

/** A read of a whole list, under a deadline by which its last record has to be taken. */
export interface ListCall extends Deadline {
  /** Those who wait for it. Default: one caller without a name. */
  readonly callers?: Callers;
}

/**
 * Reads a list into a sink. What fails once the list has begun is not tried again: it is thrown as
 * the error that the caller gets.
 */
export async function readListOnce(
  sink: ListSink,
  read: (sink: ListSink) => Promise<void>,
  toQueryError: (error: unknown) => unknown,
): Promise<void> {
  let isBegun = false;
  const begin = (beginning: ListBeginning): Promise<void> => {
    isBegun = true;
    return sink.begin(beginning);
  };
  try {
    await read({ begin, write: sink.write.bind(sink) });
  } catch (error) {
    throw isBegun ? toQueryError(error) : error;
  }
}

/** About so many characters are written at once. */
const LINES_LENGTH = 128 * 1024;

/**
 * Collects records and writes them to a sink, some at once. While the sink takes what was written
 * before, it collects as much again, and no more.
 */
export class LineWriter {
  readonly #sink: Pick<ListSink, 'write'>;
  #text = '';
  #records = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(sink: Pick<ListSink, 'write'>) {
    this.#sink = sink;
  }

  /**
   * Adds the JSON text of a record.
   *
   * @returns what to wait for before the next one; undefined where that may come at once
   */
  add(record: string): Promise<void> | undefined {
    this.#text += `${record}\n`;
    this.#records += 1;
    return this.#text.length < LINES_LENGTH ? undefined : this.#flush();
  }

  /** Writes what is left, and resolves when everything is taken. */
  async end(): Promise<void> {
    if (this.#records > 0) void this.#flush();
    await this.#writing;
  }

  /** @returns what resolves when all that was written before is taken */
  #flush(): Promise<void> {
    const lines = { text: this.#text, records: this.#records };
    this.#text = '';
    this.#records = 0;
    const before = this.#writing;
    const writing = before.then(() => this.#sink.write(lines));
    // It is waited for with the next lines, and must not count as unhandled until then.
    writing.catch(() => undefined);
    this.#writing = writing;
    return before;
  }
}

/** Writes records each of which comes with the total, by which the list begins. */
export class CountedLineWriter {
  readonly #sink: ListSink;
  readonly #lines: LineWriter;
  #begun: Promise<void> | undefined;

  constructor(sink: ListSink) {
    this.#sink = sink;
    this.#lines = new LineWriter({
      write: async (lines) => {
        await this.#begun;
        await sink.write(lines);
      },
    });
  }

  /** As {@link LineWriter.add}. */
  add(record: string, total: bigint): Promise<void> | undefined {
    this.#begun ??= this.#begin(total);
    return this.#lines.add(record);
  }

  /** Writes what is left, and resolves when everything is taken. */
  async end(): Promise<void> {
    await (this.#begun ?? this.#begin(0n));
    await this.#lines.end();
  }

  #begin(total: bigint): Promise<void> {
    const begun = this.#sink.begin({ total, version: undefined });
    // It is waited for with the first lines, and must not count as unhandled until then.
    begun.catch(() => undefined);
    return begun;
  }
}
