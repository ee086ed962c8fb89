import type { JSONWebKeySet } from 'jose';
import * as z from 'zod';

import { type DocumentSource, readIssuerDocument } from '../issuer-document.ts';

const MAX_KEYS = 100;

const documentSchema = z.object({
  keys: z.array(z.looseObject({ kty: z.string() })).max(MAX_KEYS),
});

type Key = z.output<typeof documentSchema>['keys'][number];

/** Throws without usable keys: such an issuer is broken, and the old keys are better. */
export async function readKeyDocument(source: DocumentSource): Promise<JSONWebKeySet> {
  const accept = 'application/jwk-set+json, application/json';
  const document = documentSchema.safeParse(await readIssuerDocument(source, accept));
  if (!document.success) throw new Error(`The answer is no JWK set of at most ${MAX_KEYS} keys.`);
  const keys = document.data.keys.filter(mayVerify);
  if (keys.length === 0) throw new Error('The answer has no public key for signatures.');
  return { keys };
}

/** A public key for signatures. A published shared secret or private key is known to all. */
function mayVerify({ kty, use, d }: Key): boolean {
  return (
    ['RSA', 'EC', 'OKP'].includes(kty) && (use === undefined || use === 'sig') && d === undefined
  );
}
