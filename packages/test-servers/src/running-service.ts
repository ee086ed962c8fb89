import { type RunningProgram, startProgram } from './running-program.ts';
import { until } from './until.ts';

/** What the service prints once it listens. */
const LISTENS = /^Dynamic Query (?:answers|listens) at http:\/\/\S+?:(\d+)\b/m;

/** Where it says that its metrics are. */
const METRICS = /^Metrics are at (\S+)$/m;

/** What it prints last when it has started. */
const CURL = /^ {2}(curl .*)\n/m;

/** A service that answers. */
export interface RunningService extends RunningProgram {
  readonly pid: number;
  readonly port: number;
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** What answers with its metrics; empty where nothing does. */
  readonly metricsUrl: string;
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
   * A path that answers with 200 once the service counts as started, where it does not print that:
   * its database is away, or its output goes elsewhere, which needs a `port`.
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
  { env, port = 0, answers }: ServiceStart = {},
): Promise<RunningService> {
  const running = startProgram(program, [...args, '--port', String(port)], env);
  const { child, output } = running;
  const portNow = (): number => port || Number(LISTENS.exec(output())?.[1] ?? 0);
  const originNow = (): string => `http://127.0.0.1:${portNow()}`;
  const hasStarted = async (): Promise<boolean> =>
    answers === undefined
      ? CURL.test(output())
      : portNow() !== 0 && isAnswered(originNow() + answers);
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  await until(async () => hasEnded() || (await hasStarted()));
  if (hasEnded()) {
    await running.ended;
    throw new Error(`The service did not start: ${output()}`);
  }
  const [, curl = ''] = CURL.exec(output()) ?? [];
  const [, metricsUrl = ''] = METRICS.exec(output()) ?? [];
  const pid = child.pid ?? 0;
  return { ...running, pid, port: portNow(), origin: originNow(), metricsUrl, curl };
}

async function isAnswered(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}
