import * as z from 'zod';

import { safeUrl } from '../../settings/groups/safe-url.ts';
import { type DocumentSource, readIssuerDocument } from '../issuer-document.ts';

/** What a page needs of OpenID Connect Discovery 1.0 §3. */
const documentSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: safeUrl,
  token_endpoint: safeUrl,
  end_session_endpoint: safeUrl.optional(),
  code_challenge_methods_supported: z.array(z.string()).optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
  id_token_signing_alg_values_supported: z.array(z.string()).optional(),
});

export type ProviderDocument = z.output<typeof documentSchema>;

/** @throws {Error} when the document cannot be read, is of another issuer, or lacks PKCE. */
export async function readProviderDocument(
  issuer: string,
  source: Omit<DocumentSource, 'url'>,
): Promise<ProviderDocument> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const reading = documentSchema.safeParse(
    await readIssuerDocument({ ...source, url }, 'application/json'),
  );
  if (!reading.success) {
    const path = reading.error.issues[0]?.path.join('.');
    throw new Error(`The answer is no metadata of a provider: see ${path || 'all of it'}.`);
  }
  const { issuer: itself, code_challenge_methods_supported: challenges } = reading.data;
  if (itself !== issuer)
    throw new Error(`It calls itself ${itself.slice(0, 200)}, so oidc.issuer has to be that.`);
  // Entra ID has PKCE, and does not say so.
  if (challenges?.includes('S256') === false) throw new Error('It has no PKCE with S256.');
  return reading.data;
}
