import {
  API_PATHS,
  EXPORT_FORMATS,
  exportBody,
  type CsvOptions,
  type ExportFormatName,
} from '@proj/contract';

import { describeValue } from '../errors/describe-value.ts';
import { InvalidReplyError } from '../errors/invalid-reply-error.ts';
import type { StreamTransport } from '../http/transport.ts';
import type { AnyExportQuery } from '../options/export-options.ts';
import type { RequestOptions } from '../options/request-options.ts';
import { dataVersionOf } from '../query/read-shown.ts';

/** What the service says of a list before its first record. */
export interface ExportHead {
  /** How many records the list has; all of them come, or there is an error. */
  readonly total: bigint;
  /**
   * Opaque: as in `Page`, of the one state of the data that all records are of; `null` where the
   * service does not know.
   */
  readonly dataVersion: string | null;
}

/** An export whose records are still to be read. */
export interface OpenedExport extends ExportHead {
  readonly body: ReadableStream<Uint8Array>;
  /** The address that was asked. */
  readonly url: string;
}

/** Which form of a list is asked for. */
export interface ExportForm extends RequestOptions {
  readonly format: ExportFormatName;
  readonly csv?: CsvOptions | undefined;
}

/** Asks for an export, and checks what comes before its records. */
export async function openExport(
  transport: StreamTransport,
  list: AnyExportQuery,
  { format, csv, signal }: ExportForm,
): Promise<OpenedExport> {
  const { type } = EXPORT_FORMATS[format];
  const { headers, body, url } = await transport({
    path: API_PATHS.export,
    body: exportBody(list, csv),
    headers: { accept: type },
    signal,
  });
  try {
    return { ...readHead(headers, type), body: demandBody(body), url };
  } catch (error) {
    await body?.cancel();
    throw error;
  }
}

function readHead(headers: Headers, type: string): ExportHead {
  const got = headers.get('content-type');
  if (got?.split(';')[0]?.trim() !== type) throw invalid('content-type', type, got);
  const total = headers.get('export-total');
  if (total === null || !/^(0|[1-9]\d{0,18})$/.test(total))
    throw invalid('export-total', 'a number of records', total);
  return { total: BigInt(total), dataVersion: dataVersionOf(headers) };
}

/** A browser of old may give none. */
function demandBody(body: ReadableStream<Uint8Array> | null): ReadableStream<Uint8Array> {
  if (body === null) throw invalid('the body', 'a stream of bytes', null);
  return body;
}

function invalid(header: string, expected: string, got: string | null): InvalidReplyError {
  return new InvalidReplyError({ pointer: header, expected, got: describeValue(got ?? undefined) });
}
