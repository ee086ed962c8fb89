import { expect, it } from 'vitest';

import { QUERY_PATH, until } from '../helper.ts';
import { startCollector } from './collector.ts';
import { startTraced, TOKEN } from './traced-service.ts';

it('puts the requests of a tool below the request of its agent, with its request id', async () => {
  const collector = await startCollector();
  const { origin } = await startTraced(collector.url, { more: 'mcp: true\n' });
  const call = { name: 'query_records', arguments: { model: 'cities', size: 5 } };
  const reply = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${TOKEN}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'x-request-id': 'call-1',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
  });
  expect(await reply.text()).toContain('records 1–5 of exactly 42');
  const named = (name: string) => collector.spans.find((span) => span.name === name);
  await until(() => named('POST /mcp') !== undefined && named(`POST ${QUERY_PATH}`) !== undefined);
  const agent = named('POST /mcp');
  expect(named(`POST ${QUERY_PATH}`)).toMatchObject({
    traceId: agent?.traceId,
    parentSpanId: agent?.spanId,
    attributes: { 'dynamic_query.request_id': 'call-1', 'dynamic_query.rows': 5 },
  });
});
