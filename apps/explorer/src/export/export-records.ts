import type { DynamicQueryClient } from '@proj/client';

import { exactRecord } from '../values/exact-record.ts';
import type { ViewQuery } from '../state/view-query.ts';
import type { FileSink } from './file-sink.ts';
import type { RecordEncoder } from '../values/record-encoder.ts';

/** How far an export is. */
export interface ExportProgress {
  readonly records: number;
  /** As the last page said; `null` before the first one. */
  readonly total: bigint | null;
}

/** What an export reads, and where it goes. */
export interface ExportJob {
  readonly client: DynamicQueryClient;
  /** The view; its page and size do not matter, since all of its records are exported. */
  readonly query: ViewQuery;
  /** Records per request. */
  readonly size: number;
  readonly encoder: RecordEncoder;
  readonly sink: FileSink;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ExportProgress) => void;
}

/**
 * Writes all records of a view. When it fails or is cancelled, no file remains.
 *
 * @throws the error of a request or of the file, or the signal's reason.
 */
export async function exportRecords({
  client,
  query,
  size,
  encoder,
  sink,
  signal,
  onProgress,
}: ExportJob): Promise<number> {
  const { page: _page, ...list } = { ...query, size };
  let written = 0;
  try {
    await sink.write(encoder.head);
    for await (const { records, total } of client.pages(list, { signal })) {
      await sink.write(records.map((record) => encoder.record(exactRecord(record))).join(''));
      written += records.length;
      onProgress({ records: written, total });
    }
    signal.throwIfAborted();
    await sink.close();
    return written;
  } catch (error) {
    await sink.abandon();
    throw error;
  }
}
