import { createHash } from 'node:crypto';

import { PROBLEMS } from '@proj/contract';

import { type Answer, json, problem, type Received } from './answer.ts';
import { answerExport } from './answer-export.ts';
import { answerFacets } from './answer-facets.ts';
import { answerQuery, type QuerySlips } from './answer-query.ts';
import { answerWatch } from './answer-watch.ts';
import type { Model } from './cities.ts';
import { readBody } from './read-body.ts';

/** The token that the service accepts. */
export const TOKEN = 'test-token-0123456789';

/** How a service answers; each part can be replaced by a wrong one. */
export interface Behaviour {
  readonly slips?: QuerySlips;
  /** What a request waits for. */
  readonly until?: (request: Received) => Promise<void>;
  /** Changes a request before it is answered. */
  readonly before?: (request: Received) => Received;
  /** Changes the answer before it is sent. */
  readonly after?: (answer: Answer, request: Received) => Answer;
}

/** Answers as the contract says, over a list in memory. */
export function answer(
  request: Received,
  model: Model,
  { slips = {}, before, after }: Behaviour,
): Answer {
  const received = before?.(request) ?? request;
  const answered = route(received, model, slips);
  return after?.(answered, request) ?? answered;
}

const ALLOWED: Readonly<Record<string, string>> = {
  '/api/v1/dynamic/query': 'POST, QUERY',
  '/api/v1/dynamic/export': 'POST, QUERY',
  '/api/v1/dynamic/facets': 'POST',
  '/api/v1/dynamic/watch': 'POST, QUERY',
  '/api/v1/dynamic/models': 'GET, HEAD',
  '/api/v1/dynamic/models/cities': 'GET, HEAD',
};

function route(request: Received, model: Model, slips: QuerySlips): Answer {
  const { method, path } = request;
  if (path === '/livez' || path === '/readyz') return json(200, { status: 'ok' });
  const [, code = ''] = /^\/problems\/(\w+)$/.exec(path) ?? [];
  if (Object.hasOwn(PROBLEMS, code))
    return { status: 200, headers: { 'content-type': 'text/html' }, body: `<h1>${code}</h1>` };
  const allow = ALLOWED[path];
  if (allow !== undefined && !allow.includes(method))
    return problem('method_not_allowed', { headers: { allow } });
  if (allow === undefined && !path.startsWith('/api/v1/dynamic/models/'))
    return problem('not_found');
  return (
    unauthenticated(request) ??
    (path.endsWith('/facets') ? read(request, (body) => answerFacets(body, model)) : undefined) ??
    (path.endsWith('/watch') ? watched(request, model, slips) : undefined) ??
    (path.endsWith('/export') ? exported(request, model, slips) : undefined) ??
    (allow?.includes('QUERY')
      ? conditional(query(request, model, slips), request)
      : catalogue(request, model))
  );
}

function unauthenticated({ headers: { authorization } }: Received): Answer | undefined {
  if (authorization === `Bearer ${TOKEN}`) return undefined;
  const challenge =
    authorization === undefined
      ? 'Bearer realm="test"'
      : 'Bearer realm="test", error="invalid_token"';
  return problem('unauthenticated', { headers: { 'www-authenticate': challenge } });
}

/** Answers what a body holds, where that is JSON. */
function read({ body }: Received, answered: (value: unknown) => Answer): Answer {
  const reading = readBody(body);
  return 'refusal' in reading ? reading.refusal : answered(reading.value);
}

function query(request: Received, model: Model, slips: QuerySlips): Answer {
  const { headers } = request;
  if (!/^(?:\*\/\*|application\/json)/.test(String(headers['accept'] ?? '*/*')))
    return problem('not_acceptable');
  if (!/^application\/json(?:; charset=utf-8)?$/i.test(String(headers['content-type'] ?? '')))
    return problem('unsupported_media_type');
  return read(request, (body) => answerQuery(body, model, slips));
}

function exported(request: Received, model: Model, slips: QuerySlips): Answer {
  const accept = String(request.headers['accept'] ?? '').replace('*/*', 'application/jsonl');
  return read(request, (body) => answerExport(body, { model, accept, slips }));
}

function watched(request: Received, model: Model, slips: QuerySlips): Answer {
  const accept = String(request.headers['accept'] ?? '*/*');
  const lastId = request.headers['last-event-id']?.toString();
  return read(request, (body) => answerWatch(body, { model, accept, lastId, slips }));
}

const VARY = 'Accept, Accept-Encoding, Authorization, Origin';

/** A reply to QUERY with its tag, or none where the caller holds it; to POST as it is. */
function conditional(answered: Answer, { method, headers, body }: Received): Answer {
  if (answered.status !== 200) return answered;
  if (method === 'POST')
    return { ...answered, headers: { ...answered.headers, 'accept-query': 'application/json' } };
  const names = JSON.parse(body.toString()).query_attributes;
  const etag = tagOf([names, answered.body]);
  const common = { 'cache-control': 'private, no-cache', vary: VARY, etag };
  const held = String(headers['if-none-match']).includes(etag);
  return held
    ? { status: 304, headers: common, body: '' }
    : { ...answered, headers: { ...answered.headers, ...common } };
}

function tagOf(value: unknown): string {
  return `"${createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16)}"`;
}

function catalogue({ path, headers }: Received, { entry }: Model): Answer {
  const known = ['/api/v1/dynamic/models', `/api/v1/dynamic/models/${entry.name}`];
  if (!known.includes(path)) return problem('not_found');
  const body = path === known[0] ? { models: [entry] } : entry;
  const etag = tagOf(body);
  const tags = { etag, 'catalogue-tag': tagOf([entry]).slice(1, -1) };
  return headers['if-none-match'] === etag
    ? { status: 304, headers: tags, body: '' }
    : json(200, body, tags);
}
