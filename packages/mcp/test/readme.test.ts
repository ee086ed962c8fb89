import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it, onTestFinished } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const EXAMPLE = join(ROOT, 'examples/serve.ts');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

it('shows its example word for word, and lists every tool that the example serves', async () => {
  const [code] = Array.from(README.matchAll(/^```ts\n(.*?)^```$/gms), ([, text]) => text);
  expect(code).toBe(readFileSync(EXAMPLE, 'utf8'));
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [EXAMPLE] }));
  onTestFinished(async () => client.close());
  const { tools } = await client.listTools();
  const listed = Array.from(README.matchAll(/^\| `(\w+)`/gm), ([, name]) => name);
  expect(listed).toEqual(tools.map(({ name }) => name));
});
