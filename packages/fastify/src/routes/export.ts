import { API_PATHS, EXPORT_FORMATS, type ExportType } from '@proj/contract';
import { type ExportedList, InvalidQueryError } from '@proj/engine';

import { type Answer, type Ask, principalOf } from '../endpoint/ask.ts';
import type { Route } from '../endpoint/route.ts';
import { acceptedType } from '../endpoint/content-type.ts';
import { HttpProblem } from '../endpoint/problems.ts';
import { ACCEPT_QUERY, answerHeaders, queryHeaders } from '../reply/answer-headers.ts';
import { typedColumns } from '../reply/export-formats.ts';
import { ExportReply } from '../reply/export-reply.ts';
import { LastingAccess } from '../reply/lasting-access.ts';
import { READS, type RouteParts } from './route-parts.ts';

export function exportRoute(parts: RouteParts): Route {
  return {
    ...READS,
    path: API_PATHS.export,
    check: (ask) => {
      // Without chunks a truncated reply looks whole.
      if (ask.isHttp10)
        throw new HttpProblem('http_version_too_old', 'Exports need HTTP/1.1 or later.');
      acceptedType(ask, TYPES);
    },
    answer: (ask) => exportList(parts, ask),
  };
}

/** By default JSON lines. */
const TYPES = Object.values(EXPORT_FORMATS).map(({ type }) => type);

async function exportList(
  { engine, checks, bounds, exports }: RouteParts,
  ask: Ask,
): Promise<Answer> {
  const type = acceptedType(ask, TYPES);
  refuseUselessCsv(type, ask.body);
  const access = new LastingAccess(ask, checks);
  const answer = new ExportReply(type, { ask, access, exports });
  const sink = {
    begin: async (list: ExportedList) => {
      // Before records count: a list that the format cannot hold is asked for again in another.
      await answer.prepare(list);
      await bounds.reserveRecords?.(ask, list.total);
      await answer.begin(list);
    },
    write: answer.write.bind(answer),
  };
  const isTyped = typedColumns(type);
  const run = (signal: AbortSignal): Promise<void> => {
    const { grant, id: caller } = principalOf(ask);
    return engine.export(ask.body, grant, { sink, signal, caller, isTyped });
  };
  const endQuery = await bounds.takeSlot?.(ask);
  void answer.run(run).finally(endQuery);
  const list = await answer.begun;
  // RFC 9110 §6.5.1: only for callers who say so. Varnish 7.1 cuts every reply that has one.
  const takesTrailers = /(?:^|,)\s*trailers\s*(?:,|$)/i.test(ask.header('te') ?? '');
  return {
    status: 200,
    headers: { ...headersOf(list, ask), 'content-type': answer.contentType },
    body: answer.body,
    // Sorting a long list may take longer than a caller waits for the headers.
    beginsEarly: true,
    ...(takesTrailers && { trailers: { 'export-count': () => String(answer.records) } }),
  };
}

function refuseUselessCsv(type: ExportType, body: unknown): void {
  if (type === EXPORT_FORMATS.csv.type || typeof body !== 'object' || body === null) return;
  if (!Object.hasOwn(body, 'export_csv')) return;
  const pointer = '/export_csv';
  const { type: csv } = EXPORT_FORMATS.csv;
  const detail = `${pointer}: the request asks for no CSV. Send Accept: ${csv}.`;
  throw new InvalidQueryError([{ pointer, code: 'invalid_export_csv', detail }]);
}

function headersOf(list: ExportedList, ask: Ask): Record<string, string> {
  const { headers, bodyHeaders } = answerHeaders(list, ask);
  return {
    'cache-control': 'private, no-cache',
    ...queryHeaders(ask),
    ...ACCEPT_QUERY,
    'export-total': String(list.total),
    ...headers,
    ...bodyHeaders,
  };
}
