import { UsageError } from '../failure.ts';
import { type ConnectionFlags, openService } from '../service/service.ts';
import { put, type Session } from '../terminal/terminal.ts';
import { VERSION } from '../base-program.ts';

/** Answers the agent that started it; standard input and output carry nothing else. */
export async function serveAgents(flags: ConnectionFlags, session: Session): Promise<void> {
  const { stdin, stdout, stderr, signal } = session.terminal;
  if (stdin === undefined) throw new UsageError('no agent is at the standard input.');
  const { client } = await openService(flags, session);
  // Loaded only to serve an agent.
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
