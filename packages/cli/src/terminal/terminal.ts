import type { Readable, Writable } from 'node:stream';

/** A stream that may be a terminal. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** The world around one run of the command. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What another program asks, of commands that serve one; absent where there is none. */
  readonly stdin?: Readable;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Aborted with an `Interruption` when the process is asked to stop. */
  readonly signal: AbortSignal;
}

/** Writes and waits until the stream has taken it, so that a slow reader slows the command down. */
export async function put(output: Writable, text: string | Uint8Array): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    output.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** Whether this stream takes colours (https://no-color.org). */
export function takesColour(output: Output, env: Terminal['env']): boolean {
  return output.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}
