import type { Readable, Writable } from 'node:stream';

/** May be a terminal. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** For commands that serve another program; absent where there is none. */
  readonly stdin?: Readable;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Aborted with an `Interruption` when the process is asked to stop. */
  readonly signal: AbortSignal;
}

/** Waits for the stream, so that a slow reader slows the command down. */
export async function put(output: Writable, text: string | Uint8Array): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    output.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** https://no-color.org */
export function takesColour(output: Output, env: Terminal['env']): boolean {
  return output.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}

/** Hides texts in all output, such as the token, which a server may send back. */
export class Secrets {
  readonly #texts = new Set<string>();

  add(text: string): void {
    if (text !== '') this.#texts.add(text);
  }

  hide(text: string): string {
    return [...this.#texts].reduce((shown, secret) => shown.replaceAll(secret, '…'), text);
  }
}

export interface Session {
  readonly terminal: Terminal;
  readonly secrets: Secrets;
}
