import type { ExportFormatName } from '@proj/contract';

import { readBodyUntil } from '../http/body-reader.ts';
import type { Settings } from '../http/settings.ts';
import type { StreamTransport } from '../http/transport.ts';
import {
  type AnyExportQuery,
  type ExportFileOptions,
  readExportFormat,
} from '../options/export-options.ts';
import type { RequestOptions } from '../options/request-options.ts';
import type { ConvertRecords } from '../query/int64.ts';
import { recordsOfLines } from './exported-records.ts';
import { type ExportHead, openExport } from './open-export.ts';
import { countCsvRecords, countJsonLines, countParquet, type RecordCount } from './record-count.ts';
import { wholeBytes } from './whole-bytes.ts';

/** A whole list from one state of the data. Iterate once; leaving early ends the export. */
export interface Export<Item> extends ExportHead, AsyncIterable<Item> {}

export interface ExportFile extends ExportHead {
  /**
   * Fails with an `IncompleteExportError` unless all records have come. Cancel to end the export.
   */
  readonly body: ReadableStream<Uint8Array>;
}

export interface ReadExportParts {
  readonly transport: StreamTransport;
  readonly convert: ConvertRecords;
  readonly settings: Pick<Settings, 'timeoutMs' | 'deadlineMs' | 'maxReplyBytes'>;
}

export async function readExport<Item>(
  { transport, convert, settings }: ReadExportParts,
  list: AnyExportQuery,
  { signal }: RequestOptions,
): Promise<Export<Item>> {
  const opened = await openExport(transport, list, { format: 'jsonl', signal });
  const { total, dataVersion, url } = opened;
  const body = readBodyUntil(opened.body, signal);
  const terms = { total, url, count: countJsonLines(), limits: settings, signal };
  const bytes = wholeBytes(body, terms);
  const lines = { attributes: list.attributes, maxLength: settings.maxReplyBytes };
  const pieces = recordsOfLines(bytes, lines);
  let isRead = false;
  async function* records(): AsyncGenerator<Item, void, undefined> {
    if (isRead) throw new TypeError('An export can be iterated once. Ask for it again.');
    isRead = true;
    for await (const piece of pieces) {
      await convert(list, piece, { signal });
      yield* piece as Item[];
    }
  }
  return { total, dataVersion, [Symbol.asyncIterator]: records };
}

const COUNTS: Readonly<Record<ExportFormatName, (total: bigint) => RecordCount>> = {
  jsonl: countJsonLines,
  csv: countCsvRecords,
  parquet: countParquet,
};

export async function readExportFile(
  { transport, settings }: ReadExportParts,
  list: AnyExportQuery,
  options: ExportFileOptions,
): Promise<ExportFile> {
  const { signal } = options;
  const form = readExportFormat(options);
  const opened = await openExport(transport, list, { ...form, signal });
  const { total, dataVersion, url } = opened;
  const count = COUNTS[form.format](total);
  const body = readBodyUntil(opened.body, signal);
  const bytes = wholeBytes(body, { total, url, count, limits: settings, signal });
  return { total, dataVersion, body: streamOf(bytes, body.close) };
}

/** Not every browser has `ReadableStream.from`. */
function streamOf(
  bytes: AsyncGenerator<Uint8Array, void, undefined>,
  cancel: () => Promise<void>,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await bytes.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      // At once: a generator would wait for its piece, and close nothing before its first.
      cancel,
    },
    { highWaterMark: 0 },
  );
}
