import { isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';

/** In MiB. Without a limit V8 grows the young heap severalfold under load, without gain. */
const OPTION = '--max-semi-space-size';
const LIMIT = `${OPTION}=16`;

/** V8 begins with 1 MiB. A start fits in the whole limit without one collection of garbage. */
const BEGINNING = '--min-semi-space-size=16';

/** Of compiled scripts, beside the program: who may write there may change the program too. */
const CACHE = '../node_modules/.cache/dynamic-query';

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
 * start, and a cache of compiled scripts. Child processes inherit both. Does nothing where a
 * process cannot be replaced, as on Windows.
 */
export function limitYoungHeap(args: readonly string[]): void {
  const { execArgv, env } = process;
  const missing = missingNodeOptions({ args, execArgv, env });
  if (missing === undefined || process.platform === 'win32' || process.send !== undefined) return;
  // A single executable application is its own program file.
  const program = isSea() ? [] : [BEGINNING, ...execArgv, process.argv[1] ?? ''];
  process.execve?.(process.execPath, [process.argv0, ...program, ...args], {
    ...(!isSea() && { NODE_COMPILE_CACHE: fileURLToPath(new URL(CACHE, import.meta.url)) }),
    ...env,
    NODE_OPTIONS: missing,
  });
}
