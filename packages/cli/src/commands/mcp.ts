import { UsageError } from '../failure.ts';
import type { ConnectionFlags } from '../service/connection.ts';
import { openService } from '../service/service.ts';
import type { Session } from '../service/session.ts';
import { put } from '../terminal/terminal.ts';
import { VERSION } from '../version.ts';

/**
 * `dq mcp`: answers an agent that has started it, over standard input and output, until the agent
 * ends. Nothing else is written to standard output.
 */
export async function serveAgents(flags: ConnectionFlags, session: Session): Promise<void> {
  const { stdin, stdout, stderr, signal } = session.terminal;
  if (stdin === undefined) throw new UsageError('no agent is at the standard input.');
  const { client } = await openService(flags, session);
  // What serves agents is loaded where one is served only.
  const { serveOverStdio } = await import('@proj/mcp');
  await serveOverStdio({
    client,
    version: VERSION,
    input: stdin,
    output: stdout,
    signal,
    onError: ({ message }) => void put(stderr, `dq: ${message}\n`).catch(() => undefined),
  });
  signal.throwIfAborted();
}
