import type { WholeListStatements } from '../../sql/query-statements.ts';
import type { Snapshot } from './snapshot.ts';

/** JSON texts, each with a line feed after it. */
export interface RecordLines {
  readonly text: string;
  readonly records: number;
}

export interface ListBeginning {
  readonly total: bigint;
  readonly version: string | undefined;
  readonly misfit?: bigint | undefined;
}

export interface ListSink {
  /** @throws what ends the reading, such as too large a total */
  begin(beginning: ListBeginning): Promise<void>;
  /** Resolves when it takes more. */
  write(lines: RecordLines): Promise<void>;
}

/** Once the list has begun, failures are not retried but thrown as the caller's error. */
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

const LINES_LENGTH = 128 * 1024;

/** Batches records for a sink; while it is busy, collects one more batch and no more. */
function lineWriter(write: ListSink['write']) {
  let [text, records] = ['', 0];
  let writing = Promise.resolve();
  const flush = (): Promise<void> => {
    const lines = { text, records };
    [text, records] = ['', 0];
    const before = writing;
    writing = handled(before.then(() => write(lines)));
    return before;
  };
  return {
    add(record: string): Promise<void> | undefined {
      text += `${record}\n`;
      records += 1;
      return text.length < LINES_LENGTH ? undefined : flush();
    },
    async end(): Promise<void> {
      if (records > 0) void flush();
      await writing;
    },
  };
}

/** It is waited for with the next lines, and must not count as unhandled until then. */
function handled(work: Promise<void>): Promise<void> {
  work.catch(() => undefined);
  return work;
}

interface ListReading {
  readonly list: WholeListStatements;
  readonly sink: ListSink;
  /** Makes the JSON text of a record. Default: its first value. */
  readonly textOf?: (row: readonly unknown[]) => string;
}

/** Reads the total first, or with each record where two statements might see two states. */
export async function readList(
  { each, ...snapshot }: Pick<Snapshot, 'count' | 'version' | 'each'>,
  { list, sink, textOf = ([record]) => String(record) }: ListReading,
): Promise<void> {
  if (each === undefined) throw new Error('The source, or its snapshots, have to read lists.');
  const { count, records, countedRecords, misfit } = list;
  let begun: Promise<void> | undefined;
  const lines = lineWriter(async (some) => {
    await begun;
    await sink.write(some);
  });
  if (countedRecords === undefined) {
    const total = await snapshot.count(count);
    const found = misfit && (await snapshot.count(misfit));
    begun = sink.begin({ total, version: await snapshot.version(), misfit: found });
    await begun;
  }
  await each(countedRecords ?? records, (row) => {
    begun ??= handled(sink.begin({ total: BigInt(String(row.at(-1))), version: undefined }));
    return lines.add(textOf(row));
  });
  begun ??= sink.begin({ total: 0n, version: undefined });
  await begun;
  await lines.end();
}
