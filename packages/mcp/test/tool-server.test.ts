import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { createClient } from '@proj/client';
import { expect, it, onTestFinished } from 'vitest';

import { createToolServer } from '../src/index.ts';

/** A client of the tools over a service that sends one reply to everything. */
async function connect(status: number, reply: unknown): Promise<Client> {
  const service = createClient({
    baseUrl: 'http://service.invalid',
    token: 'secret',
    retries: 0,
    fetch: async () => Response.json(reply, { status }),
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1' });
  await createToolServer({ client: service, version: '1.0.0' }).connect(far);
  await client.connect(near);
  onTestFinished(async () => client.close());
  return client;
}

it('lists five tools that change nothing, in no more than 2500 tokens', async () => {
  const client = await connect(200, {});
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'list_models',
    'describe_model',
    'query_records',
    'count_values',
    'find_record_page',
  ]);
  expect(tools.map(({ annotations }) => annotations)).toEqual(
    tools.map(() => ({ readOnlyHint: true })),
  );
  // No tokenizer makes more than one token of three characters of such a text.
  expect(JSON.stringify(tools).length / 3).toBeLessThan(2500);
});

it('finds models among hundreds, a page of which is short', async () => {
  const models = Array.from({ length: 312 }, (_, index) => ({
    name: `table_${index}`,
    description: index === 200 ? `What customers bought. ${'More of that. '.repeat(50)}` : null,
    attributes: [],
    key: ['id'],
    default_sort: [],
    max_page_size: 100,
  }));
  const client = await connect(200, { models });
  const call = async (args: Record<string, unknown>): Promise<string> => {
    const { content } = await client.callTool({ name: 'list_models', arguments: args });
    return JSON.stringify(content);
  };
  expect(await call({})).toContain('models 1–40 of exactly 312; not all; next: page 2 (size 40).');
  expect(await call({ page: 8 })).toContain('models 281–312 of exactly 312; not all; these are');
  const found = await call({ search: 'customer bought' });
  expect(found).toMatch(/models 1 of exactly 1; these are all.*table_200.*More of that/);
  expect(found.length).toBeLessThan(400);
  expect(await call({ search: 'invoices' })).toContain('exactly 0 match; these are all. There are');
});

it('answers a call with an argument that it does not have with those that it has', async () => {
  const client = await connect(200, {});
  const call = { name: 'query_records', arguments: { model: 'cities', limit: 5 } };
  const { isError, content } = await client.callTool(call);
  expect(isError).toBe(true);
  expect(content).toEqual([
    { type: 'text', text: expect.stringContaining('For limit use size. Arguments: model, ') },
  ]);
});

it('reports a problem of the service with what to do, as a result and not as a failure', async () => {
  const problem = {
    type: '/problems/overloaded',
    title: 'Busy',
    status: 503,
    code: 'overloaded',
    detail: 'Too many queries run.',
    request_id: 'r1',
  };
  const client = await connect(503, problem);
  const { isError, content } = await client.callTool({ name: 'list_models', arguments: {} });
  expect({ isError, content }).toEqual({
    isError: true,
    content: [{ type: 'text', text: 'overloaded: Too many queries run.' }],
  });
});
