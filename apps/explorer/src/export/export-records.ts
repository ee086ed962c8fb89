import { ProblemError } from '@proj/client';
import { EXPORTS_UNREACHABLE } from '@proj/contract';

import type { EncoderOptions, RecordEncoder } from '../values/record-encoder.ts';
import type { ExportedList } from './exported-list.ts';
import type { FileSink } from './file-sink.ts';

/** How far an export is. */
export interface ExportProgress {
  /** `null` where the service streams the file, which is counted in bytes. */
  readonly records: number | null;
  readonly bytes: number;
  /** Of records; `null` before the service has said it. */
  readonly total: bigint | null;
}

/** What an export reads, and where it goes. */
export interface ExportJob {
  readonly list: ExportedList;
  readonly encoding: EncoderOptions;
  /** Null where only the service writes the format. */
  readonly encoder: RecordEncoder | null;
  readonly sink: FileSink;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ExportProgress) => void;
}

const ONLY_STREAMED =
  'This service, or something on the way to it, lets no Parquet file pass. Choose another format.';

/**
 * Writes all records of a view: as the service streams them, from one state of the data, or page by
 * page where it does not and the format lets the page write it. When it fails or is cancelled, no
 * file remains.
 *
 * @returns how many records there are
 * @throws the error of a request or of the file, or the signal's reason.
 */
export async function exportRecords(job: ExportJob): Promise<bigint> {
  const { sink, signal } = job;
  try {
    const records = (await streamed(job)) ?? (await byPages(job));
    signal.throwIfAborted();
    await sink.close();
    return records;
  } catch (error) {
    await sink.abandon();
    throw error;
  }
}

/** Undefined where the service streams nothing; nothing is written then. */
async function streamed(job: ExportJob): Promise<bigint | undefined> {
  const { sink, signal, onProgress } = job;
  const opened = await openStream(job);
  if (opened === undefined) return undefined;
  const { total, body } = opened;
  let bytes = 0;
  const file = new WritableStream<Uint8Array>({
    write: async (piece) => {
      // A copy, since a file takes no memory that a worker could change.
      await sink.write(new Uint8Array(piece));
      bytes += piece.length;
      onProgress({ records: null, bytes, total });
    },
  });
  // Whichever of the two fails ends the other: the service keeps a snapshot for who does not read.
  await body.pipeTo(file, { signal });
  return total;
}

async function openStream({ list, encoding, signal }: ExportJob) {
  const { format, guardFormulas } = encoding;
  try {
    return await list.file({
      signal,
      format,
      ...(format === 'csv' && { csvGuardFormulas: guardFormulas }),
    });
  } catch (error) {
    if (error instanceof ProblemError && EXPORTS_UNREACHABLE.has(error.status)) return undefined;
    throw error;
  }
}

async function byPages(job: ExportJob): Promise<bigint> {
  const { list, encoder, sink, signal, onProgress } = job;
  if (encoder === null) throw new Error(ONLY_STREAMED);
  const encode = new TextEncoder();
  let written = 0;
  let bytes = 0;
  const write = async (text: string): Promise<void> => {
    const piece = encode.encode(text);
    bytes += piece.length;
    await sink.write(piece);
  };
  await write(encoder.head);
  for await (const { records, total } of list.pages(signal)) {
    await write(records.map((record) => encoder.record(record)).join(''));
    written += records.length;
    onProgress({ records: written, bytes, total });
  }
  return BigInt(written);
}
