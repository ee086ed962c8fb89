import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** A key pair of an issuer. */
export interface IssuerKey {
  readonly alg: 'ES256' | 'RS256';
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export function makeKey(kid: string, alg: IssuerKey['alg'] = 'ES256'): IssuerKey {
  const pair =
    alg === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { alg, kid, ...pair };
}

/** The public half, as an issuer publishes it. */
export function publicJwk({ alg, kid, publicKey }: IssuerKey): Record<string, unknown> {
  return { ...publicKey.export({ format: 'jwk' }), alg, kid, use: 'sig' };
}

/** A token of header and claims as they stand; texts may hold what no object can. */
export function signToken(
  { alg, privateKey }: IssuerKey,
  header: object | string,
  claims: object | string,
): string {
  const input = `${encode(header)}.${encode(claims)}`;
  const algorithm =
    alg === 'ES256' ? { key: privateKey, dsaEncoding: 'ieee-p1363' as const } : privateKey;
  return `${input}.${sign('sha256', Buffer.from(input), algorithm).toString('base64url')}`;
}

export function encode(part: object | string): string {
  return Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');
}

/** The public half of a key, in the forms in which attackers pass it off as a shared secret. */
export function publicKeyForms({ publicKey }: IssuerKey): readonly Buffer[] {
  const pem = publicKey.export({ format: 'pem', type: 'spki' });
  const forms = [
    pem,
    String(pem).trim(),
    publicKey.export({ format: 'der', type: 'spki' }),
    JSON.stringify(publicKey.export({ format: 'jwk' })),
  ];
  return forms.map((form) => (typeof form === 'string' ? Buffer.from(form) : form));
}
