import { readStrictJson } from '@proj/fastify/host';

/** How long a read may take, in milliseconds. */
const TIME_LIMIT_MS = 3000;

/** The longest document, in bytes. */
const MAX_BYTES = 256 * 1024;

/** Where and how a document is read. */
export interface DocumentSource {
  readonly url: string;
  readonly fetch: typeof fetch;
  /** Ends a read that nobody waits for any more. */
  readonly signal: AbortSignal;
}

/**
 * Reads a JSON document that an issuer of tokens publishes.
 *
 * @throws {Error} when it does not answer in time, or with something else.
 */
export async function readIssuerDocument(
  { url, fetch, signal }: DocumentSource,
  accept: string,
): Promise<unknown> {
  const response = await fetch(url, {
    // Where the document is is the operator's word, not that of whoever answers.
    redirect: 'manual',
    headers: { accept },
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)]),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`The answer has the status ${response.status}.`);
  }
  return readStrictJson(await readBytes(response));
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
