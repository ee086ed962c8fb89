import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';

import {
  Client,
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { createClient, type DynamicQueryClient } from '@proj/client';
import { expect, it, onTestFinished, vi } from 'vitest';

import { answerRequest, serveOverStdio } from '../src/index.ts';

/** Each way in which a client reaches the tools of a service without models. */
const WAYS: Readonly<Record<string, () => Promise<Client>>> = {
  HTTP: async () => {
    const transport = new StreamableHTTPClientTransport(new URL('http://agent.invalid/mcp'), {
      fetch: async (url, init) => {
        const request = new Request(url, init);
        const body: unknown = request.method === 'POST' ? await request.clone().json() : undefined;
        return answerRequest(request, { client: serviceOf(), version: '1.0.0', body });
      },
    });
    return connected(transport);
  },
  stdio: async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    void serveOverStdio({ input, output, client: serviceOf(), version: '1.0.0' });
    const transport: Transport = {
      start: async () => {
        createInterface(output).on('line', (line) =>
          transport.onmessage?.(JSON.parse(line) as JSONRPCMessage),
        );
      },
      send: async (message) => void input.write(`${JSON.stringify(message)}\n`),
      close: async () => void input.end(),
    };
    return connected(transport);
  },
};

function serviceOf(): DynamicQueryClient {
  return createClient({
    baseUrl: 'http://service.invalid',
    token: 'secret',
    fetch: async () => Response.json({ models: [] }),
  });
}

async function connected(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  onTestFinished(async () => client.close());
  return client;
}

it.each(Object.entries(WAYS))(
  'an argument that no tool has is refused over %s, whatever its name is to JavaScript',
  async (_way, connect) => {
    const client = await connect();
    const call = async (args: string): Promise<string> => {
      const parsed = JSON.parse(args) as Record<string, unknown>;
      const { content } = await client.callTool({ name: 'list_models', arguments: parsed });
      return JSON.stringify(content);
    };
    expect(await call('{"__proto__":1}')).toMatch(/there is no argument .*__proto__.*Arguments: /);
    expect(await call('{"search":"x","__proto__":{"page":2}}')).toContain('there is no argument');
    expect(await call('{"constructor":1}')).toContain('there is no argument constructor.');
    expect(await call('{}')).toContain('exactly 0');
  },
);

it('answers over HTTP without writing to the console, which is the log of the service', async () => {
  const warn = vi.spyOn(console, 'warn');
  onTestFinished(() => warn.mockRestore());
  const client = await WAYS['HTTP']?.();
  const result = await client?.callTool({ name: 'list_models', arguments: {} });
  expect(JSON.stringify(result?.content)).toContain('exactly 0');
  expect(warn).not.toHaveBeenCalled();
});
