import { Writable } from 'node:stream';

import { run } from '../src/run.ts';
import { TOKEN } from './service/service.ts';

/** Where a command line runs. */
export interface Surroundings {
  readonly url?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether both outputs are terminals, and how wide. */
  readonly columns?: number;
  readonly signal?: AbortSignal;
  /** Called with all of the standard output so far, whenever there is more. */
  readonly onOutput?: (text: string) => void;
}

/** What a command line did. */
export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

class Screen extends Writable {
  readonly isTTY: boolean;
  readonly columns: number;
  text = '';
  readonly #onText: (text: string) => void;

  constructor(columns: number | undefined, onText: (text: string) => void = () => undefined) {
    super({ decodeStrings: false });
    this.#onText = onText;
    this.isTTY = columns !== undefined;
    this.columns = columns ?? 0;
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    this.#onText(this.text);
    done();
  }
}

/** Runs `dq` in this process. */
export async function dq(
  args: readonly string[],
  { url, env = {}, columns, signal, onOutput }: Surroundings = {},
): Promise<Outcome> {
  const [stdout, stderr] = [new Screen(columns, onOutput), new Screen(columns)];
  const exitCode = await run(args, {
    env: {
      DYNAMIC_QUERY_TOKEN: TOKEN,
      ...(url !== undefined && { DYNAMIC_QUERY_URL: url }),
      NO_COLOR: '1',
      ...env,
    },
    stdout,
    stderr,
    signal: signal ?? new AbortController().signal,
  });
  return { exitCode, stdout: stdout.text, stderr: stderr.text };
}
