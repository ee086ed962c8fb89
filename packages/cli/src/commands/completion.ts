import type { Command } from 'commander';

import { candidates, type Names } from '../completion/candidates.ts';
import { COMPLETION_SCRIPTS, type Shell } from '../completion/scripts.ts';
import { openService } from '../service/service.ts';
import type { Session } from '../service/session.ts';
import { put } from '../terminal/terminal.ts';

/** Prints the script that the shell evaluates. */
export async function printCompletion(shell: Shell, { terminal }: Session): Promise<void> {
  await put(terminal.stdout, COMPLETION_SCRIPTS[shell]);
}

/** A person waits at the keyboard. */
const ATTEMPT_LIMITS = { timeoutMs: 2000, retries: 0 };

/** `dq __complete -- <words>`: one candidate a line; nothing when the service cannot be asked. */
export async function complete(
  words: readonly string[],
  program: Command,
  session: Session,
): Promise<void> {
  const { terminal } = session;
  const options = { signal: terminal.signal };
  const open = async () => (await openService({}, session, ATTEMPT_LIMITS)).client;
  const names: Names = {
    models: async () => (await (await open()).models(options)).map(({ name }) => name),
    model: async (name) => (await open()).model(name, options),
  };
  const found = await candidates(program, words, names).catch(() => []);
  await put(terminal.stdout, found.map((candidate) => `${candidate}\n`).join(''));
}
