import { anyPort } from './free-port.ts';
import { type RunningProgram, startProgram } from './running-program.ts';
import { until } from './until.ts';

/** What the service prints last when it has started. */
const CURL = /^ {2}(curl .*)\n/m;

/** Far longer than a start takes on a busy machine. */
const START_LIMIT_MS = 120_000;
const MOST_TRIES = 10;

/** A service that answers. */
export interface RunningService extends RunningProgram {
  readonly port: number;
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** The line that it prints for trying it out. */
  readonly curl: string;
}

/** How a service is started. */
export interface ServiceStart {
  /** Its environment, beside the path. */
  readonly env?: Readonly<Record<string, string>>;
  /** The port at which it has to listen. Default: one that is free. */
  readonly port?: number;
}

/**
 * Starts a service and waits until it says that it answers.
 *
 * @param command the program with its arguments, without a port
 * @throws {Error} with what it printed, when it ends before that.
 */
export async function startService(
  [program = '', ...args]: readonly string[],
  { env, port }: ServiceStart = {},
): Promise<RunningService> {
  for (let left = MOST_TRIES; ; left--) {
    const at = port ?? anyPort();
    const running = startProgram(program, [...args, '--port', String(at)], env);
    const curl = await tryLine(running);
    if (curl !== undefined) return { ...running, port: at, origin: `http://127.0.0.1:${at}`, curl };
    await running.stop();
    // Somebody else may have taken the port.
    const isTaken = port === undefined && running.output().includes('EADDRINUSE');
    if (!isTaken || left === 1) throw new Error(`The service did not start: ${running.output()}`);
  }
}

/** Its own word: whoever else has the port may answer, too. */
async function tryLine({ child, output }: RunningProgram): Promise<string | undefined> {
  const found = (): string | undefined => CURL.exec(output())?.[1];
  await until(() => child.exitCode !== null || found() !== undefined, START_LIMIT_MS);
  return found();
}
