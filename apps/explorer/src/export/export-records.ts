import type { DynamicQueryClient } from '@proj/client';

import { exactRow } from '../values/exact-record.ts';
import type { ViewQuery } from '../state/view-query.ts';
import type { FileSink } from './file-sink.ts';
import type { RowEncoder } from '../values/record-encoder.ts';

/** How far an export is. */
export interface ExportProgress {
  readonly rows: number;
  /** As the last page said; `null` before the first one. */
  readonly total: bigint | null;
}

/** What an export reads, and where it goes. */
export interface ExportJob {
  readonly client: DynamicQueryClient;
  /** The view; its page and size are left aside, since all of its rows are exported. */
  readonly query: ViewQuery;
  /** Rows per request. */
  readonly size: number;
  readonly encoder: RowEncoder;
  readonly sink: FileSink;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ExportProgress) => void;
}

/**
 * Writes all rows of a view. When it fails or is cancelled, nothing is left behind.
 *
 * @throws the error of a request or of the file, or the signal's reason.
 */
export async function exportRows({
  client,
  query,
  size,
  encoder,
  sink,
  signal,
  onProgress,
}: ExportJob): Promise<number> {
  const { page: _page, ...list } = { ...query, size };
  let rows = 0;
  try {
    await sink.write(encoder.head);
    for await (const { records, total } of client.pages(list, { signal })) {
      await sink.write(records.map((record) => encoder.row(exactRow(record))).join(''));
      rows += records.length;
      onProgress({ rows, total });
    }
    signal.throwIfAborted();
    await sink.close();
    return rows;
  } catch (error) {
    await sink.abandon();
    throw error;
  }
}
