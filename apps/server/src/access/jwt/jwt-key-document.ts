import type { JSONWebKeySet } from 'jose';
import * as z from 'zod';

import { readStrictJson } from '../../strict-json.ts';

/** How long a read may take, in milliseconds. */
const TIME_LIMIT_MS = 3000;

/** The longest document, in bytes. */
const MAX_BYTES = 256 * 1024;

/** The most keys of one issuer. */
const MAX_KEYS = 100;

const documentSchema = z.object({
  keys: z.array(z.looseObject({ kty: z.string() })).max(MAX_KEYS),
});

type Key = z.output<typeof documentSchema>['keys'][number];

/** Where and how a document is read. */
export interface KeyDocumentSource {
  readonly url: string;
  readonly fetch: typeof fetch;
  /** Ends a read that nobody waits for any more. */
  readonly signal: AbortSignal;
}

/**
 * Reads an issuer's keys that may verify a signature. A document without any is an error: an issuer
 * that publishes none is broken, and the old keys are better.
 */
export async function readKeyDocument({
  url,
  fetch,
  signal,
}: KeyDocumentSource): Promise<JSONWebKeySet> {
  const response = await fetch(url, {
    // Where the keys are is the operator's word, not that of whoever answers.
    redirect: 'manual',
    headers: { accept: 'application/jwk-set+json, application/json' },
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)]),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`The answer has the status ${response.status}.`);
  }
  const document = documentSchema.safeParse(readStrictJson(await readBytes(response)));
  if (!document.success) throw new Error(`The answer is no JWK set of at most ${MAX_KEYS} keys.`);
  const keys = document.data.keys.filter(mayVerify);
  if (keys.length === 0) throw new Error('The answer has no public key for signatures.');
  return { keys };
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

/**
 * A public key for signatures. A shared secret that is published here is known to all; so is a
 * private key.
 */
function mayVerify({ kty, use, d }: Key): boolean {
  return (
    ['RSA', 'EC', 'OKP'].includes(kty) && (use === undefined || use === 'sig') && d === undefined
  );
}
