import { API_PATHS, EXPORT_FORMATS, type ExportType } from '@proj/contract';
import { type Engine, type ExportedList, InvalidQueryError } from '@proj/engine';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Limits } from '../../limits/limits.ts';
import type { Lifecycle } from '../../process/lifecycle.ts';
import { deprecationHeaders } from '../deprecation.ts';
import { disconnectSignal } from '../request/disconnect-signal.ts';
import { APPROXIMATE } from '../reply/answer-headers.ts';
import { typedColumns } from '../reply/export-formats.ts';
import { ExportReply } from '../reply/export-reply.ts';
import { type AccessChecks, LastingAccess } from '../reply/lasting-access.ts';
import { principalOf } from '../plugins/access.ts';
import { reserveRecords } from '../plugins/limits.ts';
import { HttpProblem } from '../problems.ts';
import { acquireQuerySlot } from '../query-slot.ts';
import { ACCEPT_QUERY, QUERY_HEADERS } from '../read-route.ts';
import type { RunningExports } from '../reply/running-exports.ts';

/** What exports are answered with. */
export interface ExportRouteParts {
  readonly engine: Pick<Engine, 'export'>;
  readonly checks: AccessChecks;
  readonly limits: Pick<Limits, 'acquireSlot' | 'reserveRecords'>;
  readonly exports: RunningExports;
  readonly lifecycle: Pick<Lifecycle, 'onClosing'>;
}

/** `/api/v1/dynamic/export`: a list of one snapshot as a file (docs/reference/contract.md). */
export function exportRoute(app: FastifyInstance, parts: ExportRouteParts): void {
  // A stopping process does not wait for exports, which may take long: their replies are cut.
  parts.lifecycle.onClosing(() => parts.exports.stopAll());
  app.route({
    method: ['POST', 'QUERY'],
    url: `/${API_PATHS.export}`,
    config: { access: 'token', audit: true, runsQuery: true },
    onRequest: (request, _reply, next) => {
      refuseOldHttp(request);
      typeOf(request);
      next();
    },
    handler: (request, reply) => exportList(parts, request, reply),
  });
}

/** Without chunks nobody could tell a reply that was cut short from a whole one. */
function refuseOldHttp({ raw: { httpVersion } }: FastifyRequest): void {
  if (httpVersion === '1.0')
    throw new HttpProblem('http_version_too_old', 'Exports need HTTP/1.1 or later.');
}

/** What the caller takes (RFC 9110 §12.5.1); JSON lines where it takes anything. */
function typeOf(request: FastifyRequest): ExportType {
  const types = Object.values(EXPORT_FORMATS).map(({ type }) => type);
  const type = request.type(types);
  const found = types.find((known) => known === type);
  if (found !== undefined) return found;
  throw new HttpProblem('not_acceptable', `This path answers with ${types.join(' or ')}.`);
}

async function exportList(
  { engine, checks, limits, exports }: ExportRouteParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const type = typeOf(request);
  refuseUselessCsv(type, request.body);
  const endQuery = await acquireQuerySlot(limits, request, reply);
  const { grant, id: caller } = principalOf(request);
  const answer = new ExportReply(type, { request, reply, exports });
  const sink = {
    begin: async (list: ExportedList) => {
      await reserveRecords(request, limits, list.total);
      await answer.begin(list);
    },
    write: answer.write.bind(answer),
  };
  const access = new LastingAccess(request, checks);
  const exported = exports.run({ signal: disconnectSignal(reply), access }, (signal) =>
    engine.export(request.body, grant, { sink, signal, caller, isTyped: typedColumns(type) }),
  );
  void answer.follow(exported).finally(endQuery);
  const list = await answer.begun;
  void reply.headers({ ...headersOf(list, request), 'content-type': answer.contentType });
  if (takesTrailers(request))
    void reply.trailer('export-count', async () => String(answer.records));
  return reply.send(answer.body);
}

/** RFC 9110 §6.5.1: others are sent none. Varnish 7.1 cuts every reply that has one. */
function takesTrailers({ headers: { te = '' } }: FastifyRequest): boolean {
  return /(?:^|,)\s*trailers\s*(?:,|$)/i.test(String(te));
}

function refuseUselessCsv(type: ExportType, body: unknown): void {
  if (type === EXPORT_FORMATS.csv.type || typeof body !== 'object' || body === null) return;
  if (!Object.hasOwn(body, 'export_csv')) return;
  const pointer = '/export_csv';
  const { type: csv } = EXPORT_FORMATS.csv;
  const detail = `${pointer}: the request asks for no CSV. Send Accept: ${csv}.`;
  throw new InvalidQueryError([{ pointer, code: 'invalid_export_csv', detail }]);
}

function headersOf(
  { total, version, deprecations, approximate, milliseconds: { plan, count } }: ExportedList,
  request: FastifyRequest,
): Record<string, string> {
  const { hidesDataVersion = false } = principalOf(request);
  const timings = Object.entries({ auth: request.accessMs, plan, count });
  return {
    'cache-control': 'private, no-cache',
    ...(request.method === 'QUERY' ? QUERY_HEADERS : {}),
    ...ACCEPT_QUERY,
    'export-total': String(total),
    ...(version !== undefined && !hidesDataVersion && { 'data-version': version }),
    ...(approximate && APPROXIMATE),
    'server-timing': timings.map(([name, ms]) => `${name};dur=${ms.toFixed(3)}`).join(', '),
    ...deprecationHeaders(deprecations),
  };
}
