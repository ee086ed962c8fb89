import {
  exportRequestSchema,
  OPERATORS,
  queryRequestSchema,
  watchRequestSchema,
  type AttributeEntry,
  type ModelEntry,
  type NumberedPage,
  type ProblemCode,
  type QueryRequest,
  type QueryTotal,
  type ReplyPage,
} from '@proj/contract';
import { type PageMetadata, paginate } from '@proj/paging';

import { json, raw, type Answer, type ReceivedRequest } from './http-server.ts';
import { selectRows, type Row } from './select-rows.ts';

/** The token that the service accepts. */
export const TOKEN = 'test-token-0123456789';

/** What the service holds. */
export interface City extends Row {
  readonly id: number;
  readonly name: string;
  readonly population: number | null;
}

/** A list of cities, numbered from 1. */
export function cities(count: number): City[] {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `City ${index + 1}`,
    population: index % 7 === 0 ? null : (index + 1) * 1000,
  }));
}

/** An attribute that takes everything. */
export function attribute(
  name: string,
  type: string,
  more: Partial<AttributeEntry> = {},
): AttributeEntry {
  return {
    name,
    type,
    nullable: false,
    description: null,
    operators: Object.keys(OPERATORS),
    sortable: true,
    ...more,
  };
}

/** The model that the service has unless it is given another. */
export const CITIES_MODEL: ModelEntry = {
  name: 'cities',
  description: 'Places where people live',
  attributes: [
    attribute('id', 'int32'),
    attribute('name', 'text'),
    attribute('population', 'int32', { nullable: true }),
  ],
  key: ['id'],
  default_sort: [],
  max_page_size: 1000,
};

interface ServiceOptions {
  /** A path before those of the contract. */
  readonly prefix?: string;
  /** The one model of the service. */
  readonly model?: ModelEntry;
  /** Gives the `Data-Version` of a reply; none is sent by default. */
  readonly version?: () => string;
  /** Gives the `Catalogue-Tag` of replies; none is sent by default. */
  readonly catalogueTag?: () => string;
  /** The list of which replies have the total, and say so; that of the records by default. */
  readonly counted?: readonly Row[];
  /** Called after each event of a watch. */
  readonly onEvent?: () => void;
}

/** Answers as the contract says, over a list in memory; changes of the list show at once. */
export function contractService(rows: readonly Row[], options: ServiceOptions = {}): Answer {
  return (request, response) => {
    const answer =
      request.headers.authorization === `Bearer ${TOKEN}`
        ? route(rows, request, options)
        : unauthenticated();
    const tag = options.catalogueTag?.();
    if (tag !== undefined) response.setHeader('catalogue-tag', tag);
    answer(request, response);
  };
}

/** A problem document as the contract says. */
export function problem(
  status: number,
  code: ProblemCode,
  more: { readonly errors?: object[]; readonly headers?: Record<string, string> } = {},
): Answer {
  const document = {
    type: `/problems/${code}`,
    title: `Title of ${code}`,
    status,
    detail: `Detail of ${code}.`,
    code,
    request_id: 'request-1',
    ...(more.errors && { errors: more.errors }),
  };
  return json(document, status, { 'content-type': 'application/problem+json', ...more.headers });
}

function route(
  rows: readonly Row[],
  { method, path, body }: ReceivedRequest,
  options: ServiceOptions,
): Answer {
  const { prefix = '', model = CITIES_MODEL } = options;
  switch (`${method} ${path}`) {
    case `POST ${prefix}/api/v1/dynamic/query`:
      return answerQuery(rows, body, options);
    case `POST ${prefix}/api/v1/dynamic/watch`:
      return watchList(rows, body, options);
    case `POST ${prefix}/api/v1/dynamic/export`:
      return answerExport(rows, body, options);
    case `GET ${prefix}/api/v1/dynamic/models`:
      return json({ models: [model] });
    case `GET ${prefix}/api/v1/dynamic/models/${model.name}`:
      return json(model);
    default:
      return problem(404, 'not_found');
  }
}

function answerQuery(
  rows: readonly Row[],
  body: string,
  { model = CITIES_MODEL, version, counted }: ServiceOptions,
): Answer {
  const request = queryRequestSchema.parse(JSON.parse(body));
  if (request.query_model !== model.name) {
    const error = {
      pointer: '/query_model',
      code: 'unknown_model',
      detail: 'No such model.',
      did_you_mean: model.name,
    };
    return problem(400, 'unknown_model', { errors: [error] });
  }
  const list = selectRows(rows, model, request);
  const asked = pageOf(list, request.page);
  if (asked === undefined) return notInList();
  const { result } = paginate(list, asked);
  const { page } = paginate(counted ? selectRows(counted, model, request) : list, asked);
  const shown = result.map((row) =>
    Object.fromEntries(request.query_attributes.map((name) => [name, row[name]])),
  );
  const metadata = withTotal(page, request.query_total);
  return json({ result: shown, page: metadata }, 200, {
    ...(version && { 'data-version': version() }),
    ...(counted && { 'data-state': 'approximate' }),
  });
}

/** JSON lines, whatever is accepted. */
function answerExport(
  rows: readonly Row[],
  body: string,
  { model = CITIES_MODEL }: ServiceOptions,
): Answer {
  const request = exportRequestSchema.parse(JSON.parse(body));
  const selected = selectRows(rows, model, request);
  const lines = selected.map((row) => {
    const shown = request.query_attributes.map((name) => [name, row[name]]);
    return `${JSON.stringify(Object.fromEntries(shown))}\n`;
  });
  const headers = { 'content-type': 'application/jsonl', 'export-total': String(lines.length) };
  return raw(lines.join(''), 200, headers);
}

/** The number of the page; undefined where the list does not have the record. */
function pageOf(list: readonly Row[], page: QueryRequest['page']): NumberedPage | undefined {
  if ('page' in page) return page;
  const { containing, size } = page;
  const place = list.findIndex((row) =>
    Object.entries(containing).every(([name, value]) => String(row[name]) === String(value)),
  );
  return place === -1 ? undefined : { page: Math.floor(place / size) + 1, size };
}

function notInList(): Answer {
  const code = 'record_not_in_list';
  const detail = '/page/containing: the list has no record with this key.';
  return problem(400, code, { errors: [{ pointer: '/page/containing', code, detail }] });
}

/** An event whenever the list has another length, until the caller leaves. */
function watchList(
  rows: readonly Row[],
  body: string,
  { model = CITIES_MODEL, version, onEvent }: ServiceOptions,
): Answer {
  const request = watchRequestSchema.parse(JSON.parse(body));
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    let sent = '';
    const look = (): void => {
      const total = String(selectRows(rows, model, request).length);
      if (total === sent) return;
      sent = total;
      const data = JSON.stringify({ total, ...(version && { version: version() }) });
      response.write(`id: ${total}\nevent: list\ndata: ${data}\n\n`);
      onEvent?.();
    };
    const timer = setInterval(look, 20);
    response.once('close', () => clearInterval(timer));
    look();
  };
}

/** As much of the total as a request asks for. */
export function withTotal(page: PageMetadata, asked: QueryTotal = 'exact'): ReplyPage {
  if (asked === 'exact') return page;
  if (asked === 'none') return { ...page, total: null };
  const { up_to: limit } = asked;
  if (BigInt(page.total) <= BigInt(limit)) return page;
  return { ...page, total: null, total_at_least: String(limit + 1) };
}

function unauthenticated(): Answer {
  return problem(401, 'unauthenticated', { headers: { 'www-authenticate': 'Bearer' } });
}
