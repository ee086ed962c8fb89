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
  readonly pid: number;
  readonly port: number;
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** The line that it prints for trying it out; empty where it does not. */
  readonly curl: string;
}

/** How a service is started. */
export interface ServiceStart {
  /** Its environment, beside the path. */
  readonly env?: Readonly<Record<string, string>>;
  /** The port at which it has to listen. Default: one that is free. */
  readonly port?: number;
  /**
   * A path that answers with 200 once the service counts as started, where it does not say so
   * itself: its output goes elsewhere, or its database is away.
   */
  readonly answers?: string;
}

/**
 * Starts a service and waits until it says that it answers.
 *
 * @param command the program with its arguments, without a port
 * @throws {Error} with what it printed, when it ends before that.
 */
export async function startService(
  [program = '', ...args]: readonly string[],
  { env, port, answers }: ServiceStart = {},
): Promise<RunningService> {
  for (let left = MOST_TRIES; ; left--) {
    const at = port ?? anyPort();
    const running = startProgram(program, [...args, '--port', String(at)], env);
    const origin = `http://127.0.0.1:${at}`;
    if (await hasStarted(running, answers && origin + answers)) {
      const [, curl = ''] = CURL.exec(running.output()) ?? [];
      return { ...running, pid: running.child.pid ?? 0, port: at, origin, curl };
    }
    await running.stop();
    // Somebody else may have taken the port.
    const isTaken = port === undefined && running.output().includes('EADDRINUSE');
    if (!isTaken || left === 1) throw new Error(`The service did not start: ${running.output()}`);
  }
}

/** By its own word if possible: whoever else has the port may answer, too. */
async function hasStarted({ child, output }: RunningProgram, url?: string): Promise<boolean> {
  const isUp = async (): Promise<boolean> =>
    url === undefined ? CURL.test(output()) : isAnswered(url);
  await until(async () => child.exitCode !== null || (await isUp()), START_LIMIT_MS);
  return child.exitCode === null;
}

async function isAnswered(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}
