import type { JSONWebKeySet } from 'jose';
import * as z from 'zod';

import { type DocumentSource, readIssuerDocument } from '../issuer-document.ts';

/** The most keys of one issuer. */
const MAX_KEYS = 100;

const documentSchema = z.object({
  keys: z.array(z.looseObject({ kty: z.string() })).max(MAX_KEYS),
});

type Key = z.output<typeof documentSchema>['keys'][number];

/**
 * Reads an issuer's keys that may verify a signature. A document without any is an error: an issuer
 * that publishes none is broken, and the old keys are better.
 */
export async function readKeyDocument(source: DocumentSource): Promise<JSONWebKeySet> {
  const accept = 'application/jwk-set+json, application/json';
  const document = documentSchema.safeParse(await readIssuerDocument(source, accept));
  if (!document.success) throw new Error(`The answer is no JWK set of at most ${MAX_KEYS} keys.`);
  const keys = document.data.keys.filter(mayVerify);
  if (keys.length === 0) throw new Error('The answer has no public key for signatures.');
  return { keys };
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
