import type { JSONWebKeySet } from 'jose';
import * as z from 'zod';

import { type DocumentSource, readIssuerDocument } from '../issuer-document.ts';

const MAX_KEYS = 100;

const documentSchema = z.object({
  keys: z.array(z.looseObject({ kty: z.string() })).max(MAX_KEYS),
});

/** Throws without usable keys: such an issuer is broken, and the old keys are better. */
export async function readKeyDocument(source: DocumentSource): Promise<JSONWebKeySet> {
  const accept = 'application/jwk-set+json, application/json';
  const document = documentSchema.safeParse(await readIssuerDocument(source, accept));
  if (!document.success) throw new Error(`The answer is no JWK set of at most ${MAX_KEYS} keys.`);
  // Public keys for signatures. A published shared secret or private key is known to all.
  const keys = document.data.keys.filter(
    ({ kty, use = 'sig', d }) =>
      ['RSA', 'EC', 'OKP'].includes(kty) && use === 'sig' && d === undefined,
  );
  if (keys.length === 0) throw new Error('The answer has no public key for signatures.');
  return { keys };
}
