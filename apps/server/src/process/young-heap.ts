import { isSea } from 'node:sea';

/** In MiB. Without a limit V8 grows the young heap severalfold under load, without gain. */
const OPTION = '--max-semi-space-size';
const LIMIT = `${OPTION}=16`;

/** V8 begins with 1 MiB, which a start fills many times over. */
const BEGINNING = '--min-semi-space-size=4';

/** Arguments that name no command serve. */
const SERVES = /^(serve$|-)/;

export interface Started {
  readonly args: readonly string[];
  readonly execArgv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** The `NODE_OPTIONS` that a service lacks, if any. */
export function missingNodeOptions({ args, execArgv, env }: Started): string | undefined {
  const given = env['NODE_OPTIONS'] ?? '';
  const [command = 'serve'] = args;
  if (!SERVES.test(command) || [given, ...execArgv].some((text) => text.includes(OPTION)))
    return undefined;
  return `${given} ${LIMIT}`.trim();
}

/**
 * Restarts a service in its own process with a limit of its young heap, which V8 only takes at its
 * start. Child processes inherit it. Does nothing where a process cannot be replaced, as on
 * Windows.
 */
export function limitYoungHeap(args: readonly string[]): void {
  const { execArgv, env } = process;
  const missing = missingNodeOptions({ args, execArgv, env });
  if (missing === undefined || process.platform === 'win32' || process.send !== undefined) return;
  // A single executable application is its own program file.
  const program = isSea() ? [] : [BEGINNING, ...execArgv, process.argv[1] ?? ''];
  process.execve?.(process.execPath, [process.argv0, ...program, ...args], {
    ...env,
    NODE_OPTIONS: missing,
  });
}
