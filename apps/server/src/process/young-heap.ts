import { isSea } from 'node:sea';

/**
 * In MiB. Without a limit V8 lets the young part of the heap grow to several times as much under
 * load, at no gain in speed.
 */
const OPTION = '--max-semi-space-size';
const LIMIT = `${OPTION}=16`;

/** Arguments that name no command serve. */
const SERVES = /^(serve$|-)/;

/** How a process was started. */
export interface Started {
  /** The arguments after the program's name. */
  readonly args: readonly string[];
  /** The options of Node. */
  readonly execArgv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** The options of Node that a service lacks, in `NODE_OPTIONS`; undefined where it lacks none. */
export function missingNodeOptions({ args, execArgv, env }: Started): string | undefined {
  const given = env['NODE_OPTIONS'] ?? '';
  const [command = 'serve'] = args;
  if (!SERVES.test(command) || [given, ...execArgv].some((text) => text.includes(OPTION)))
    return undefined;
  return `${given} ${LIMIT}`.trim();
}

/**
 * Starts a service anew in its own process, where it has no limit for the young part of its heap:
 * V8 takes one at its start only. The processes that a service starts inherit it. Where a process
 * cannot be replaced, as on Windows, nothing happens.
 */
export function limitYoungHeap(args: readonly string[]): void {
  const { execArgv, env } = process;
  const missing = missingNodeOptions({ args, execArgv, env });
  if (missing === undefined || process.platform === 'win32' || process.send !== undefined) return;
  // A single executable application is its own program file.
  const program = isSea() ? [] : [...execArgv, process.argv[1] ?? ''];
  process.execve?.(process.execPath, [process.argv0, ...program, ...args], {
    ...env,
    NODE_OPTIONS: missing,
  });
}
