import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterFile } from '@proj/test-servers';

import { programPath } from '../support/program-path.ts';

/** What a tool answered. */
export interface Answered {
  readonly isError: boolean;
  readonly text: string;
  /** The result for programs; empty where there is none. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Calls tools. */
export interface Agent {
  readonly client: Client;
  readonly call: (
    tool: string,
    args?: Readonly<Record<string, unknown>>,
    options?: { readonly signal?: AbortSignal },
  ) => Promise<Answered>;
}

/** A service and a token for it. */
export interface Target {
  readonly origin: string;
  readonly token: string;
}

/** How the official client finds out which version of the protocol is spoken. */
export type Version = '2026-07-28' | '2025-11-25';

/** The official client. */
function officialClient(version: Version): Client {
  const mode = version === '2025-11-25' ? 'legacy' : { pin: version };
  return new Client({ name: 'tests', version: '1' }, { versionNegotiation: { mode } });
}

/** An agent that has started `dq mcp`; it ends with the test file. */
export async function startedAgent(
  { origin, token }: Target,
  version: Version = '2026-07-28',
): Promise<Agent> {
  const client = officialClient(version);
  const args = [programPath('@proj/cli', 'dist/main.js'), 'mcp'];
  const env = { DYNAMIC_QUERY_URL: origin, DYNAMIC_QUERY_TOKEN: token };
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  afterFile(async () => client.close());
  return agentOf(client);
}

/** An agent that asks `/mcp` of a service; it ends with the test file. */
export async function remoteAgent(
  { origin, token }: Target,
  version: Version = '2026-07-28',
): Promise<Agent> {
  const client = officialClient(version);
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', origin), { requestInit }));
  afterFile(async () => client.close());
  return agentOf(client);
}

/** An agent over a client that is connected. */
function agentOf(client: Client): Agent {
  return {
    client,
    call: async (name, args = {}, options = {}) => {
      const result = await client.callTool({ name, arguments: { ...args } }, options);
      const { content, structuredContent, isError = false } = result;
      const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
      return { isError, text, facts: { ...(structuredContent as object | undefined) } };
    },
  };
}
