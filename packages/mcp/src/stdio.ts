import { finished } from 'node:stream/promises';
import type { Readable, Writable } from 'node:stream';

import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';

import { createToolServer, type ToolServerOptions, withShownPrototype } from './tool-server.ts';

/** It passes each message on as it was sent. */
class Transport extends StdioServerTransport {
  override start(): Promise<void> {
    const take = this.onmessage;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is no target of events
    this.onmessage = (message) => take?.(withShownPrototype(message));
    return super.start();
  }
}

/** Where calls come from and answers go. */
export interface StdioOptions extends ToolServerOptions {
  readonly input: Readable;
  readonly output: Writable;
  /**
   * Ends the serving.
   *
   * @default none: it ends with `input`
   */
  readonly signal?: AbortSignal;
  /** Called with what is wrong with a message; it changes no answer. */
  readonly onError?: (error: Error) => void;
}

/** Serves the tools over two streams until the first one ends, or the signal is aborted. */
export async function serveOverStdio({
  input,
  output,
  signal,
  onError,
  ...options
}: StdioOptions): Promise<void> {
  const handle = serveStdio(() => createToolServer(options), {
    transport: new Transport(input, output),
    ...(onError && { onerror: onError }),
  });
  // However it ends, whoever asked is gone, or wants it to end.
  await finished(input, { writable: false, ...(signal && { signal }) }).catch(() => undefined);
  await handle.close();
}
