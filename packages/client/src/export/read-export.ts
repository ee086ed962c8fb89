import type { ExportFormatName } from '@proj/contract';

import { describeValue } from '../errors/describe-value.ts';
import {
  IncompleteExportError,
  InvalidReplyError,
  type TimeLimits,
  TimeoutError,
} from '../errors/errors.ts';
import { type BodyReader, inTime, parseJson, readBodyUntil } from '../http/body.ts';
import { leavable } from '../http/leavable.ts';
import type { Settings } from '../http/settings.ts';
import type { StreamTransport } from '../http/transport.ts';
import type { RequestOptions } from '../options/client-options.ts';
import {
  type AnyExportQuery,
  type ExportFileOptions,
  readExportFormat,
} from '../options/list-query.ts';
import { checkRecord } from '../query/check-reply.ts';
import type { ConvertRecords } from '../query/int64.ts';
import { type ExportHead, type OpenedExport, openExport } from './open-export.ts';
import { countCsvRecords, countJsonLines, countParquet, type RecordCount } from './record-count.ts';

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
  return { total, dataVersion, [Symbol.asyncIterator]: () => leavable(records(), body.close) };
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

export interface ByteTerms extends Pick<OpenedExport, 'total' | 'url'> {
  readonly count: RecordCount;
  readonly limits: TimeLimits;
  readonly signal: AbortSignal | undefined;
}

/**
 * The bytes of an export as they come; ends only when all records have come.
 *
 * @throws {IncompleteExportError} in place of the end, where records are missing
 * @throws {TimeoutError} when nothing comes for as long as an attempt may take
 */
async function* wholeBytes(
  body: BodyReader,
  { total, url, count, limits, signal }: ByteTerms,
): AsyncGenerator<Uint8Array, void, undefined> {
  const next = async (): Promise<Uint8Array | undefined> => {
    try {
      return await inTime(body.read(), url, limits);
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof TimeoutError) throw cause;
      throw new IncompleteExportError({ received: count.records(), total }, { cause });
    }
  };
  try {
    for (let bytes = await next(); bytes !== undefined; bytes = await next()) {
      count.add(bytes);
      yield bytes;
    }
    if (count.records() !== total || !count.isAtEnd())
      throw new IncompleteExportError({ received: count.records(), total });
  } finally {
    // For consumers that stop early; after the end this does nothing.
    await body.close();
  }
}

export interface LineTerms {
  readonly attributes: readonly string[];
  /** In characters. */
  readonly maxLength: number;
}

/** @throws {InvalidReplyError} when a line is no record with these attributes, or too long */
async function* recordsOfLines(
  pieces: AsyncIterable<Uint8Array>,
  { attributes, maxLength }: LineTerms,
): AsyncGenerator<object[], void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  let number = 0;
  for await (const bytes of pieces) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > maxLength) throw tooLong(number, maxLength);
    yield lines.map((line) => readRecord(line, number++, attributes));
  }
}

function readRecord(line: string, index: number, attributes: readonly string[]): object {
  const pointer = `/${index}`;
  const record = parseJson(line, { pointer, within: ' in each line' });
  if (typeof record !== 'object' || record === null || Array.isArray(record))
    throw new InvalidReplyError({ pointer, expected: 'a record', got: describeValue(record) });
  checkRecord(pointer, record, attributes);
  return record;
}

function tooLong(index: number, limit: number): InvalidReplyError {
  const expected = `a line of at most ${limit} characters (maxReplyBytes)`;
  return new InvalidReplyError({ pointer: `/${index}`, expected, got: 'more' });
}
