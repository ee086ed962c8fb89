import { Writable } from 'node:stream';

import {
  type Ended,
  type RunningProgram,
  type RunningService,
  startProgram,
} from '@proj/test-servers';
import { onTestFinished } from 'vitest';

import { run } from '../../../../packages/cli/src/run.ts';
import { programPath } from '../support/program-path.ts';
import { TOKEN } from '../support/service.ts';

const MAIN = programPath('@proj/cli', 'dist/main.js');

type Service = Pick<RunningService, 'origin'>;

const environment = ({ origin }: Service): Record<string, string> => ({
  DYNAMIC_QUERY_URL: origin,
  DYNAMIC_QUERY_TOKEN: TOKEN,
});

/**
 * Starts `dq` against a service, with its outputs in pipes. It ends with the test at the latest.
 */
export function startDq(args: readonly string[], service: Service): RunningProgram {
  const program = startProgram(process.execPath, [MAIN, ...args], environment(service));
  onTestFinished(program.stop);
  return program;
}

/** Runs what `dq` does in this process, to its end, as if its outputs were pipes. */
export async function dq(args: readonly string[], service: Service): Promise<Ended> {
  const [stdout, stderr] = [new Output(), new Output()];
  const { signal } = new AbortController();
  const code = await run(args, { env: environment(service), stdout, stderr, signal });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

class Output extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
