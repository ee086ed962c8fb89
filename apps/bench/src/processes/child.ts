import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';

/** A program of ours in a process of its own, which answers one question after another. */
export interface Child {
  readonly pid: number;
  /** What the program said when it was ready. */
  readonly greeting: unknown;
  /** @throws {Error} when the program fails or ends. */
  ask(question: unknown): Promise<unknown>;
  readonly stop: () => Promise<void>;
}

interface Reply {
  readonly value?: unknown;
  readonly error?: string;
}

/**
 * Starts a program beside the module that asks for it.
 *
 * @param program path from that module without its extension: `.ts` when the sources run as they
 *   are, `.js` when built
 * @throws {Error} when the program ends before it is ready.
 */
export async function startChild(program: string, base: string, input: unknown): Promise<Child> {
  const file = new URL(`${program}${extname(base)}`, base);
  const execArgv = ['--disable-warning=ExperimentalWarning'];
  const child = fork(file, [JSON.stringify(input)], { execArgv });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.removeListener('exit', kill));
  const greeting = await nextReply(child, program);
  return {
    pid: child.pid ?? 0,
    greeting,
    ask: async (question) => {
      const reply = nextReply(child, program);
      child.send({ question });
      return reply;
    },
    stop: () => endProcess(child),
  };
}

/** Ends a process that we started: asks first, and waits until it is gone. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await exit;
  clearTimeout(timer);
}

/** The input that {@link startChild} passed to this process. */
export function childInput(): unknown {
  return JSON.parse(process.argv[2] ?? 'null');
}

/** Says that this process is ready, and answers questions from then on. */
export function answerParent(
  greeting: unknown,
  answer: (question: unknown) => Promise<unknown>,
): void {
  process.on('message', ({ question }: { question: unknown }) => {
    answer(question).then(
      (value) => process.send?.({ value } satisfies Reply),
      (error: unknown) =>
        process.send?.({
          error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        }),
    );
  });
  process.on('disconnect', () => process.exit());
  process.send?.({ value: greeting } satisfies Reply);
}

async function nextReply(child: ChildProcess, program: string): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const onMessage = ({ value, error }: Reply): void => {
    if (error === undefined) resolve(value);
    else reject(new Error(`${program}: ${error}`));
  };
  const onExit = (code: number | null): void => reject(new Error(`${program} ended with ${code}.`));
  child.once('message', onMessage);
  child.once('exit', onExit);
  try {
    return await promise;
  } finally {
    child.removeListener('message', onMessage);
    child.removeListener('exit', onExit);
  }
}
