import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createClient } from '@proj/client';
import { expect, it, onTestFinished, vi } from 'vitest';

import { answerRequest } from '../src/index.ts';

it('answers over HTTP without writing to the console, which is the log of the service', async () => {
  const warn = vi.spyOn(console, 'warn');
  onTestFinished(() => warn.mockRestore());
  const service = createClient({
    baseUrl: 'http://service.invalid',
    token: 'secret',
    fetch: async () => Response.json({ models: [] }),
  });
  const transport = new StreamableHTTPClientTransport(new URL('http://agent.invalid/mcp'), {
    fetch: async (url, init) => {
      const request = new Request(url, init);
      const body = request.method === 'POST' ? await request.clone().json() : undefined;
      return answerRequest(request, { client: service, version: '1.0.0', body });
    },
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  onTestFinished(async () => client.close());
  const { content } = await client.callTool({ name: 'list_models', arguments: {} });
  expect(JSON.stringify(content)).toContain('exactly 0');
  expect(warn).not.toHaveBeenCalled();
});
