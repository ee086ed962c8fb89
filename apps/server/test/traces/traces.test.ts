import { rmSync } from 'node:fs';

import { afterFile } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import { cityQuery, MODELS_PATH, QUERY_PATH, until } from '../helper.ts';
import { type CollectedSpan, type Collector, startCollector } from './collector.ts';
import { startTraced, TOKEN } from './traced-service.ts';

const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const SAMPLED = `00-${CALLER.traceId}-${CALLER.spanId}-01`;
const UNSAMPLED = `00-${CALLER.traceId}-${CALLER.spanId}-00`;

const ANSWERED_BY = 'dynamic_query.answered_by';

const SERVER = 2;
const CLIENT = 3;
const INTERNAL = 1;

/** A query whose filter has a value that no trace may hold. */
function filtered(page = 1): object {
  const query_filter = { attribute: 'name', op: 'ne', value: 'canary-of-the-filter' };
  return { ...cityQuery(page, 5), query_filter };
}

function requestsAmong(spans: readonly CollectedSpan[]): CollectedSpan[] {
  return spans.filter(({ kind }) => kind === SERVER);
}

/** What is asked of the service, in this order. */
type Asked = 'first' | 'kept' | 'shared' | 'secret' | 'method' | 'failing';

describe('a traced service', () => {
  let collector: Collector | undefined;
  const said: { requestId?: string | null; records?: string; requests?: number } = {};
  /** How many requests had been sent when each part began. */
  const beginnings: (readonly [Asked, number])[] = [];
  const spans = (): readonly CollectedSpan[] => collector?.spans ?? [];
  const ways = () => spans().flatMap(({ attributes }) => attributes[ANSWERED_BY]);
  const requestsOf = (asked: Asked): CollectedSpan[] => {
    const at = beginnings.findIndex(([name]) => name === asked);
    return requestsAmong(spans()).slice(beginnings[at]?.[1], beginnings[at + 1]?.[1]);
  };

  const waysOf = (asked: Asked) =>
    requestsOf(asked).map(({ attributes }) => attributes[ANSWERED_BY]);

  beforeAll(async () => {
    collector = await startCollector(undefined, afterFile);
    const service = await startTraced(collector.url, { atEnd: afterFile });
    const { close, origin, drain, file } = service;
    let sent = 0;
    const ask: typeof service.ask = async (...asked) => {
      sent += 1;
      return service.ask(...asked);
    };
    const get = async (path: string, init?: RequestInit): Promise<unknown> => {
      sent += 1;
      return fetch(origin + path, init);
    };
    const begin = (asked: Asked): unknown => beginnings.push([asked, sent]);
    begin('first');
    said.requestId = (await ask(filtered(), { traceparent: SAMPLED })).headers.get('x-request-id');
    begin('kept');
    await ask(filtered());
    begin('shared');
    for (let page = 3; !ways().includes('single_flight'); page += 1) {
      await Promise.all(Array.from({ length: 10 }, () => ask(filtered(page))));
      await until(() => requestsAmong(spans()).length === sent);
    }
    begin('secret');
    said.records = await (await ask(filtered())).text();
    await ask({ ...filtered(), query_model: 'canary-of-the-model' });
    await ask({ ...cityQuery(1, 5), query_filter: { attribute: 'id', op: 'eq', value: 'canary' } });
    await get('/canary-of-the-path?canary=1', { method: 'PUT' });
    begin('method');
    const tag = (await ask(filtered(2), {}, 'QUERY')).headers.get('etag') ?? '';
    await ask(filtered(2), { 'if-none-match': tag }, 'QUERY');
    begin('failing');
    await ask({});
    await get(`${MODELS_PATH}/none`, { headers: { authorization: `Bearer ${TOKEN}` } });
    await get('/elsewhere');
    drain();
    // Probes have no spans.
    for (const probe of ['readyz', 'livez']) await fetch(`${origin}/${probe}`);
    rmSync(file);
    await ask(filtered());
    await close();
    said.requests = sent;
  });

  it('sends a span of each request, below that of the caller, with its plan and its statements', () => {
    expect(requestsAmong(spans())).toHaveLength(said.requests ?? 0);
    const [request] = requestsOf('first');
    expect(request).toMatchObject({
      traceId: CALLER.traceId,
      parentSpanId: CALLER.spanId,
      name: `POST ${QUERY_PATH}`,
      attributes: {
        'http.request.method': 'POST',
        'http.route': QUERY_PATH,
        'http.response.status_code': 200,
        'url.path': QUERY_PATH,
        'url.scheme': 'http',
        'dynamic_query.request_id': said.requestId,
        'dynamic_query.model': 'cities',
        'dynamic_query.page': 1,
        'dynamic_query.size': 5,
        'dynamic_query.rows': 5,
        'dynamic_query.answered_by': ['database'],
      },
    });
    const children = spans().filter(({ parentSpanId }) => parentSpanId === request?.spanId);
    expect(children.map(({ name, kind }) => [name, kind])).toEqual([
      ['plan', INTERNAL],
      ['SELECT cities', CLIENT],
      ['SELECT cities', CLIENT],
    ]);
    expect(children).toHaveLength(
      spans().filter(({ traceId }) => traceId === CALLER.traceId).length - 1,
    );
    for (const { traceId, startedAt, endedAt } of children) {
      expect(traceId).toBe(CALLER.traceId);
      expect(startedAt).toBeGreaterThanOrEqual(request?.startedAt ?? 0n);
      expect(endedAt).toBeLessThanOrEqual(request?.endedAt ?? 0n);
    }
    expect(children.at(-1)?.attributes).toEqual({
      'db.system.name': 'sqlite',
      'db.operation.name': 'SELECT',
      'db.collection.name': 'cities',
      'db.query.text': expect.stringMatching(/^select count\(\*\) from "cities".*\?/s),
    });
    expect(collector?.resources[0]).toMatchObject({
      'service.name': 'dynamic-query',
      'service.version': expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
  });

  it('sends no value of a filter or a record, no token, no header and no parameter', () => {
    expect(said.records).toContain('city 1');
    expect(requestsOf('secret')).toHaveLength(4);
    for (const secret of ['canary', 'city 1', TOKEN, 'user-agent', 'secret', 'parameter'])
      expect(collector?.text()).not.toContain(secret);
  });

  it('says of a page how it was answered: from the database, by a kept reply, by a shared read', () => {
    expect([waysOf('first'), waysOf('kept')]).toEqual([[['database']], [['reply_cache']]]);
    expect(waysOf('shared').flat()).toContain('single_flight');
  });

  it('names a request by the method QUERY, and says that its caller was sent nothing', () => {
    const [sent, held] = requestsOf('method');
    expect([sent?.name, held?.name]).toEqual([`QUERY ${QUERY_PATH}`, `QUERY ${QUERY_PATH}`]);
    expect(held?.attributes).toMatchObject({
      'http.request.method': 'QUERY',
      'http.response.status_code': 304,
      'dynamic_query.rows': 0,
      'dynamic_query.answered_by': ['reply_cache'],
    });
  });

  it('names requests that fail by their problem, and marks those as errors that are its own fault', () => {
    expect(
      requestsOf('failing').map(({ name, status, attributes }) => [
        name,
        attributes['dynamic_query.problem'],
        attributes['http.response.status_code'],
        status ?? 0,
      ]),
    ).toEqual([
      [`POST ${QUERY_PATH}`, 'missing_member', 400, 0],
      [`GET ${MODELS_PATH}/:name`, 'not_found', 404, 0],
      ['GET', 'not_found', 404, 0],
      [`POST ${QUERY_PATH}`, 'database_unavailable', 503, 2],
    ]);
  });

  it('leaves the choice to the caller, and gives log lines the id of the trace in any case', async () => {
    const own = await startCollector();
    const { ask, close, lines } = await startTraced(own.url, {
      settings: ', sample_ratio: 0',
    });
    await ask(filtered(), { traceparent: UNSAMPLED });
    await ask(filtered());
    await ask(filtered(), { traceparent: SAMPLED });
    await close();
    expect(requestsAmong(own.spans)).toHaveLength(1);
    const answered = lines.filter(({ msg }) => msg === 'answered');
    const [first, second, third] = answered.map(({ trace_id }) => trace_id);
    expect([first, third]).toEqual([CALLER.traceId, CALLER.traceId]);
    expect(second).toMatch(/^(?!0af76519)[\da-f]{32}$/);
    expect(new Set(own.spans.map(({ traceId }) => traceId))).toEqual(new Set([CALLER.traceId]));
  });

  it('decides for itself where the sampler says so, and sends the headers that the collector wants', async () => {
    const own = await startCollector();
    const { ask, close } = await startTraced(`${own.url}/otlp/`, {
      settings: ', sampler: always_on, headers: { X-Key: "${KEY:-k}" }',
    });
    await ask(filtered(), { traceparent: UNSAMPLED });
    await close();
    expect(requestsAmong(own.spans)).toHaveLength(1);
    expect(own.headers[0]).toMatchObject({ path: '/otlp/v1/traces', 'x-key': 'k' });
  });
});
