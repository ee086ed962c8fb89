import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';

import {
  type ProblemCode,
  PROBLEMS,
  type QueryRequest,
  readQueryRequest,
  type RequestError,
} from '@proj/contract';
import { paginate } from '@proj/paging';
import express, { type ErrorRequestHandler, type RequestHandler, type Response } from 'express';
import { visit } from 'jsonc-parser';

const MODELS: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  cities: Array.from({ length: 42 }, (_, index) => ({ id: index + 1, name: `City ${index + 1}` })),
};
const MOST_RECORDS = 1000;
/** What this service leaves out of the contract. */
const LEFT_OUT = [
  'query_filter',
  'query_sort',
  'query_total',
  'query_groups',
  'query_aggregates',
  'query_group_filter',
] as const;

function sendProblem(response: Response, code: ProblemCode, errors?: readonly RequestError[]) {
  const { status, title, meaning } = PROBLEMS[code];
  const problem = { type: `/problems/${code}`, title, status, detail: meaning, code, errors };
  const request_id = response.getHeader('x-request-id');
  response.status(status).type('application/problem+json').set('cache-control', 'no-store');
  response.send(JSON.stringify({ ...problem, request_id }));
}

const digest = (text: string) => createHash('sha256').update(text).digest();
const token = digest(`Bearer ${process.env['TOKEN'] ?? 'a-token-for-trying-out'}`);

/** Before the body is read, so that nobody else has it parsed. */
const requireToken: RequestHandler = ({ headers: { authorization = '' } }, response, next) => {
  if (timingSafeEqual(digest(authorization), token)) return next();
  const error = authorization === '' ? '' : ', error="invalid_token"';
  response.set('www-authenticate', `Bearer realm="example"${error}`);
  sendProblem(response, 'unauthenticated');
};

const requireJson: RequestHandler = (request, response, next) => {
  const { 'content-type': type = '', accept = '*/*' } = request.headers;
  if (!/^application\/json(?:; *charset=utf-8)?$/i.test(type))
    return sendProblem(response, 'unsupported_media_type');
  if (!/\*\/\*|application\/(?:json|\*)/.test(accept))
    return sendProblem(response, 'not_acceptable');
  next();
};

/** Whether an object of a JSON text names a member twice, on which readers of JSON disagree. */
function namesTwice(text: string): boolean {
  const open: Set<string>[] = [];
  let isTwice = false;
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty: (name) => {
      isTwice ||= open.at(-1)?.has(name) ?? false;
      open.at(-1)?.add(name);
    },
  });
  return isTwice;
}

const readJson: RequestHandler = (request, response, next) => {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(request.body);
  } catch {
    return sendProblem(response, 'invalid_encoding');
  }
  try {
    request.body = JSON.parse(text);
  } catch {
    return sendProblem(response, 'malformed_json');
  }
  if (namesTwice(text)) return sendProblem(response, 'duplicate_key');
  next();
};

const error = (pointer: string, code: RequestError['code'], more = {}): RequestError => ({
  pointer,
  code,
  detail: PROBLEMS[code].meaning,
  ...more,
});

/** The errors that show only beside the data, and members that this service leaves out. */
function errorsOf(request: Partial<QueryRequest>): RequestError[] {
  const { query_model: model, query_attributes: names = [], page } = request;
  const records = model === undefined ? undefined : MODELS[model];
  const known = new Set(Object.keys(records?.[0] ?? {}));
  return [
    ...LEFT_OUT.filter((name) => name in request).map((name) =>
      error(`/${name}`, 'unknown_member'),
    ),
    ...(model !== undefined && !records ? [error('/query_model', 'unknown_model')] : []),
    ...names.flatMap((name, index) =>
      !records || known.has(name) ? [] : [error(`/query_attributes/${index}`, 'unknown_attribute')],
    ),
    ...(page && page.size > MOST_RECORDS
      ? [error('/page/size', 'size_too_large', { maximum: MOST_RECORDS })]
      : []),
    ...(page && 'containing' in page ? [error('/page/containing', 'unknown_member')] : []),
  ];
}

const answer: RequestHandler = ({ body }, response) => {
  const reading = readQueryRequest(body);
  const errors = reading.ok
    ? errorsOf(reading.request)
    : [...reading.errors, ...errorsOf(reading.wellFormed)];
  if (errors.length > 0 || !reading.ok || 'containing' in reading.request.page) {
    const [first] = new Set(errors.map(({ code }) => code));
    const isOne = errors.every(({ code }) => code === first);
    return sendProblem(response, (isOne ? first : undefined) ?? 'invalid_request', errors);
  }
  const { query_model: model, query_attributes: names, page } = reading.request;
  const { result, page: metadata } = paginate(MODELS[model] ?? [], page);
  const records = result.map((record) =>
    Object.fromEntries(names.map((name) => [name, record[name]])),
  );
  response.set('cache-control', 'private, no-cache').json({ result: records, page: metadata });
};

// oxlint-disable-next-line eslint/max-params -- Express knows handlers of errors by their number
const failed: ErrorRequestHandler = (cause, _request, response, _next) =>
  sendProblem(response, cause.status === 413 ? 'body_too_large' : 'internal');

express()
  .disable('x-powered-by')
  .use(({ headers: { 'x-request-id': id } }, response, next) => {
    const isUsable = typeof id === 'string' && /^[\w.-]{1,128}$/.test(id);
    response.set('x-request-id', isUsable ? id : randomUUID());
    next();
  })
  .get(['/livez', '/readyz'], (_request, response) => void response.json({ status: 'ok' }))
  .get('/problems/:code', ({ params: { code } }, response, next) => {
    const [, { title, remedy } = { title: '', remedy: '' }] =
      Object.entries(PROBLEMS).find(([name]) => name === code) ?? [];
    if (title === '') return next();
    response.type('text').send(`${title}. ${remedy}`);
  })
  .post(
    '/api/v1/dynamic/query',
    requireToken,
    requireJson,
    express.raw({ type: '*/*', limit: '64kb' }),
    readJson,
    answer,
  )
  .all('/api/v1/dynamic/query', (_request, response) => {
    sendProblem(response.set('allow', 'POST'), 'method_not_allowed');
  })
  .use((_request, response) => sendProblem(response, 'not_found'))
  .use(failed)
  .listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');
