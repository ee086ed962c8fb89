import { McpServer } from '@modelcontextprotocol/server';
import type { DynamicQueryClient } from '@proj/client';

import { explain } from './errors/explain.ts';
import { countValues } from './tools/count-values.ts';
import { describeModel } from './tools/describe-model.ts';
import { findRecordPage } from './tools/find-record-page.ts';
import { listModels } from './tools/list-models.ts';
import { queryRecords } from './tools/query-records.ts';
import type { Tool, ToolContext } from './tools/tool.ts';

/** What the tools of a server are made with. */
export interface ToolServerOptions {
  /** Reads the models, as one caller. */
  readonly client: DynamicQueryClient;
  /** The version of the program that serves them, which clients show. */
  readonly version: string;
  /**
   * How many bytes the records of one result may take. A page that takes more is cut after a whole
   * record, and the result says so.
   *
   * @default 20_000
   */
  readonly maxResultBytes?: number;
}

const TOOLS = [listModels, describeModel, queryRecords, countValues, findRecordPage];

const INSTRUCTIONS =
  'Read-only access to the records of a database. Find models with list_models, look at one with ' +
  'describe_model, then read pages with query_records or count with count_values. Counts are ' +
  'exact. Whole numbers past 2^53 and decimals are texts. A result that says "not all" is not ' +
  'the whole list: never count its records, read its total.';

/** Tools over the models of a service, for one connection or one request. */
export function createToolServer({
  client,
  version,
  maxResultBytes = 20_000,
}: ToolServerOptions): McpServer {
  const server = new McpServer(
    { name: 'dynamic-query', version },
    { instructions: INSTRUCTIONS, capabilities: { tools: { listChanged: false } } },
  );
  for (const tool of TOOLS as readonly Tool[]) {
    const { name, description, input: inputSchema } = tool;
    const config = { description, inputSchema, annotations: { readOnlyHint: true } };
    server.registerTool(name, config, async (args, { mcpReq: { signal } }) =>
      answer(tool, args, { client, signal, maxBytes: maxResultBytes }),
    );
  }
  return server;
}

async function answer(tool: Tool, args: unknown, context: ToolContext) {
  try {
    const { text, facts } = await tool.run(args, context);
    return { content: [{ type: 'text' as const, text }], structuredContent: { ...facts } };
  } catch (error) {
    context.signal?.throwIfAborted();
    return { content: [{ type: 'text' as const, text: explain(error) }], isError: true };
  }
}

/**
 * A message whose call has the argument `__proto__` in quotes, under which it is refused as any
 * other that there is not. Under its own name it would be dropped on the way to the tool.
 */
export function withShownPrototype<Message>(message: Message): Message {
  const { params } = Object(message) as { params?: object };
  const { arguments: given } = Object(params) as { arguments?: unknown };
  if (typeof given !== 'object' || given === null || !Object.hasOwn(given, '__proto__'))
    return message;
  const shown = Object.entries(given).map(([name, value]: [string, unknown]) => [
    name === '__proto__' ? JSON.stringify(name) : name,
    value,
  ]);
  return { ...message, params: { ...params, arguments: Object.fromEntries(shown) } };
}
