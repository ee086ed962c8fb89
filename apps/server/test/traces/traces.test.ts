import { rmSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { cityQuery, MODELS_PATH, QUERY_PATH, until } from '../helper.ts';
import { type CollectedSpan, startCollector } from './collector.ts';
import { startTraced, TOKEN } from './traced-service.ts';

const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const SAMPLED = `00-${CALLER.traceId}-${CALLER.spanId}-01`;
const UNSAMPLED = `00-${CALLER.traceId}-${CALLER.spanId}-00`;

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

describe('a traced service', () => {
  it('sends a span of each request, below that of the caller, with its plan and its statements', async () => {
    const collector = await startCollector();
    const { ask, close } = await startTraced(collector.url);
    const reply = await ask(filtered(), { traceparent: SAMPLED });
    await close();
    expect(requestsAmong(collector.spans)).toHaveLength(1);
    const [request] = requestsAmong(collector.spans);
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
        'dynamic_query.request_id': reply.headers.get('x-request-id'),
        'dynamic_query.model': 'cities',
        'dynamic_query.page': 1,
        'dynamic_query.size': 5,
        'dynamic_query.rows': 5,
        'dynamic_query.answered_by': ['database'],
      },
    });
    const children = collector.spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId);
    expect(children.map(({ name, kind }) => [name, kind])).toEqual([
      ['plan', INTERNAL],
      ['SELECT cities', CLIENT],
      ['SELECT cities', CLIENT],
    ]);
    expect(children).toHaveLength(collector.spans.length - 1);
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
    expect(collector.resources[0]).toMatchObject({
      'service.name': 'dynamic-query',
      'service.version': expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
  });

  it('sends no value of a filter or a record, no token, no header and no parameter', async () => {
    const collector = await startCollector();
    const { ask, close, origin } = await startTraced(collector.url);
    const records = await ask(filtered());
    expect(await records.text()).toContain('city 1');
    await ask({ ...filtered(), query_model: 'canary-of-the-model' });
    await ask({ ...cityQuery(1, 5), query_filter: { attribute: 'id', op: 'eq', value: 'canary' } });
    await fetch(`${origin}/canary-of-the-path?canary=1`, { method: 'PUT' });
    await close();
    expect(requestsAmong(collector.spans)).toHaveLength(4);
    for (const secret of ['canary', 'city 1', TOKEN, 'user-agent', 'secret', 'parameter'])
      expect(collector.text()).not.toContain(secret);
  });

  it('says of a page how it was answered: from the database, by a kept reply, by a shared read', async () => {
    const collector = await startCollector();
    const { ask } = await startTraced(collector.url);
    await ask(filtered());
    await ask(filtered());
    const ways = (): unknown[] =>
      requestsAmong(collector.spans).map(
        ({ attributes }) => attributes['dynamic_query.answered_by'],
      );
    await until(() => ways().length === 2);
    expect(ways()).toEqual([['database'], ['reply_cache']]);
    let page = 1;
    await until(async () => {
      page += 1;
      await Promise.all(Array.from({ length: 10 }, () => ask(filtered(page))));
      return ways().flat().includes('single_flight');
    });
  });

  it('names a request by the method QUERY, and says that its caller was sent nothing', async () => {
    const collector = await startCollector();
    const { ask, close } = await startTraced(collector.url);
    const tag = (await ask(filtered(), {}, 'QUERY')).headers.get('etag') ?? '';
    await ask(filtered(), { 'if-none-match': tag }, 'QUERY');
    await close();
    expect(requestsAmong(collector.spans)).toHaveLength(2);
    const [sent, held] = requestsAmong(collector.spans);
    expect([sent?.name, held?.name]).toEqual([`QUERY ${QUERY_PATH}`, `QUERY ${QUERY_PATH}`]);
    expect(held?.attributes).toMatchObject({
      'http.request.method': 'QUERY',
      'http.response.status_code': 304,
      'dynamic_query.rows': 0,
      'dynamic_query.answered_by': ['reply_cache'],
    });
  });

  it('names requests that fail by their problem, and marks those as errors that are its own fault', async () => {
    const collector = await startCollector();
    const { ask, close, origin, drain, file } = await startTraced(collector.url);
    await ask({});
    await fetch(`${origin}${MODELS_PATH}/none`, { headers: { authorization: `Bearer ${TOKEN}` } });
    await fetch(`${origin}/elsewhere`);
    drain();
    await fetch(`${origin}/readyz`);
    await fetch(`${origin}/livez`);
    rmSync(file);
    await ask(filtered());
    await close();
    expect(requestsAmong(collector.spans)).toHaveLength(4);
    expect(
      requestsAmong(collector.spans).map(({ name, status, attributes }) => [
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
    const collector = await startCollector();
    const { ask, close, lines } = await startTraced(collector.url, ', sample_ratio: 0');
    await ask(filtered(), { traceparent: UNSAMPLED });
    await ask(filtered());
    await ask(filtered(), { traceparent: SAMPLED });
    await close();
    expect(requestsAmong(collector.spans)).toHaveLength(1);
    const answered = lines.filter(({ msg }) => msg === 'answered');
    const [first, second, third] = answered.map(({ trace_id }) => trace_id);
    expect([first, third]).toEqual([CALLER.traceId, CALLER.traceId]);
    expect(second).toMatch(/^(?!0af76519)[\da-f]{32}$/);
    expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(
      new Set([CALLER.traceId]),
    );
  });

  it('decides for itself where the sampler says so', async () => {
    const collector = await startCollector();
    const { ask, close } = await startTraced(collector.url, ', sampler: always_on');
    await ask(filtered(), { traceparent: UNSAMPLED });
    await close();
    expect(requestsAmong(collector.spans)).toHaveLength(1);
  });

  it('sends the headers that the collector wants', async () => {
    const collector = await startCollector();
    const { ask, close } = await startTraced(
      `${collector.url}/otlp/`,
      ', headers: { X-Key: "${KEY:-k}" }',
    );
    await ask(filtered());
    await close();
    expect(collector.headers[0]).toMatchObject({ path: '/otlp/v1/traces', 'x-key': 'k' });
  });
});

describe('a collector that is away', () => {
  it('costs traces alone, and is logged once when it goes and once when it is back', async () => {
    let status = 400;
    const away = await startCollector((response) => response.writeHead(status).end());
    const { ask, lines } = await startTraced(away.url);
    const about = (): string[] =>
      lines.map(({ msg }) => msg).filter((msg) => msg.includes('collector'));
    for (let sent = 0; away.headers.length < 3; sent++) {
      expect((await ask(filtered(sent + 1))).status).toBe(200);
      await until(() => away.headers.length > sent || away.headers.length >= 3);
    }
    expect(about()).toEqual([
      'traces cannot be sent to their collector: they are dropped until it takes them',
    ]);
    status = 200;
    await until(async () => (await ask(filtered(1))).ok && about().length > 1);
    expect(about().slice(1)).toEqual(['traces are sent to their collector again']);
  });

  it('holds up no reply and no end of the service where it never answers', async () => {
    const collector = await startCollector(() => undefined);
    const { ask, close } = await startTraced(collector.url);
    expect((await ask(filtered())).status).toBe(200);
    await until(() => collector.headers.length > 0);
    expect((await ask(filtered(2))).status).toBe(200);
    await close();
  });
});
