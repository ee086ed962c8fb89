import {
  API_PATHS,
  EXPORT_FORMATS,
  exportBody,
  type CsvOptions,
  type ExportFormatName,
} from '@proj/contract';

import { describeValue } from '../errors/describe-value.ts';
import { InvalidReplyError } from '../errors/errors.ts';
import type { StreamTransport } from '../http/transport.ts';
import type { AnyExportQuery } from '../options/list-query.ts';
import type { RequestOptions } from '../options/client-options.ts';
import { dataVersionOf } from '../query/read-shown.ts';

export interface ExportHead {
  /** All of them come, or there is an error. */
  readonly total: bigint;
  /** Opaque, as in `Page`, and that of all records; `null` where the service does not know it. */
  readonly dataVersion: string | null;
}

export interface OpenedExport extends ExportHead {
  readonly body: ReadableStream<Uint8Array>;
  readonly url: string;
}

export interface ExportForm extends RequestOptions {
  readonly format: ExportFormatName;
  readonly csv?: CsvOptions | undefined;
}

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

/** An old browser may give none. */
function demandBody(body: ReadableStream<Uint8Array> | null): ReadableStream<Uint8Array> {
  if (body === null) throw invalid('the body', 'a stream of bytes', null);
  return body;
}

function invalid(header: string, expected: string, got: string | null): InvalidReplyError {
  return new InvalidReplyError({ pointer: header, expected, got: describeValue(got ?? undefined) });
}
