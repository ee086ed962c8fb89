import { createMcpHandler } from '@modelcontextprotocol/server';

import { createToolServer, type ToolServerOptions, withShownPrototype } from './tool-server.ts';

/** What a request is answered with. */
export interface AnswerOptions extends ToolServerOptions {
  /** The JSON value of its body, which was read already. */
  readonly body: unknown;
}

/**
 * Answers one request of the protocol over HTTP: of version 2026-07-28, and of 2025-11-25 without
 * sessions. Whose token it has, and whether its `Origin` and `Host` are welcome, is decided before.
 */
export async function answerRequest(
  request: Request,
  { body, ...options }: AnswerOptions,
): Promise<Response> {
  const handler = createMcpHandler(() => createToolServer(options), {
    // Tools never change, so that nobody has to wait for that.
    maxSubscriptions: 0,
  });
  return handler.fetch(request, { parsedBody: withShownPrototype(body) });
}
