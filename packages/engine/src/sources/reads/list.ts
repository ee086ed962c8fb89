import type { WholeListStatements } from '../../sql/query-statements.ts';
import { CountedLineWriter, LineWriter, type ListSink } from '../whole-list.ts';
import type { Snapshot, TakeRow } from './snapshot.ts';

interface ListReading {
  readonly list: WholeListStatements;
  readonly sink: ListSink;
  /** Makes the JSON text of a record. Default: its first value. */
  readonly textOf?: (row: readonly unknown[]) => string;
}

/** Reads the total first, or all in one statement where two might see two states. */
export async function readList(
  { each, ...snapshot }: Pick<Snapshot, 'count' | 'version' | 'each'>,
  { list, sink, textOf = ([record]) => String(record) }: ListReading,
): Promise<void> {
  if (each === undefined) throw new Error('The source, or its snapshots, have to read lists.');
  const { count, records, countedRecords, misfit } = list;
  if (countedRecords !== undefined) {
    const writer = new CountedLineWriter(sink);
    const take: TakeRow = (row) => writer.add(textOf(row), BigInt(String(row.at(-1))));
    await each(countedRecords, take);
    await writer.end();
    return;
  }
  const total = await snapshot.count(count);
  const found = misfit && (await snapshot.count(misfit));
  await sink.begin({ total, version: await snapshot.version(), misfit: found });
  const writer = new LineWriter(sink);
  await each(records, (row) => writer.add(textOf(row)));
  await writer.end();
}
