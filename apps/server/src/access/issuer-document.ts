import { readJsonBytes } from '@proj/fastify/host';
import type { Logger } from 'pino';

/** No line holds any part of a token. */
export type IssuerLog = Pick<Logger, 'info' | 'warn'>;

const TIME_LIMIT_MS = 3000;

const MAX_BYTES = 256 * 1024;

export interface DocumentSource {
  readonly url: string;
  readonly fetch: typeof fetch;
  /** Aborts when nobody waits any more. */
  readonly signal: AbortSignal;
}

/** @throws {Error} when the issuer does not answer in time, or with something else */
export async function readIssuerDocument(
  { url, fetch, signal }: DocumentSource,
  accept: string,
): Promise<unknown> {
  const response = await fetch(url, {
    // The operator decides where the document is, not whoever answers.
    redirect: 'manual',
    headers: { accept },
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)]),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`The answer has the status ${response.status}.`);
  }
  return readJsonBytes(await readBytes(response));
}

async function readBytes(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`The answer is longer than ${MAX_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
