import { createHmac, generateKeyPairSync } from 'node:crypto';

import { encode, type IssuerKey, makeKey, publicJwk, publicKeyForms, signToken } from './tokens.ts';

/** What an attacker has, and more: a valid token, and means to sign as the issuer does. */
export interface Forge {
  readonly token: string;
  readonly key: IssuerKey;
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  /** The clock of the verifier, in seconds. */
  readonly now: number;
  /** A server of the attacker. */
  readonly listener: string;
  /** Another issuer that is trusted too, whose key has the same name. */
  readonly other: { readonly token: string; readonly key: IssuerKey; readonly issuer: string };
}

type Mutation = (forge: Forge) => string;

const own = makeKey('own');

/** Signed by the issuer itself, with claims replaced; undefined leaves one out. */
export function withClaims(change: (forge: Forge) => object): Mutation {
  return (forge) => signToken(forge.key, forge.header, { ...forge.claims, ...change(forge) });
}

/** Signed by the issuer itself, with members of the header replaced. */
export function withHeader(change: (forge: Forge) => object): Mutation {
  return (forge) => signToken(forge.key, { ...forge.header, ...change(forge) }, forge.claims);
}

/** Signed by a key of the attacker, with members of the header replaced. */
function withOwnKey(change: (forge: Forge) => object = () => ({})): Mutation {
  return (forge) => signToken(own, { ...forge.header, ...change(forge) }, forge.claims);
}

function withPart(index: number, change: (part: string, forge: Forge) => string): Mutation {
  return (forge) =>
    forge.token
      .split('.')
      .map((part, at) => (at === index ? change(part, forge) : part))
      .join('.');
}

function hmac(form: number, alg: 'HS256' | 'HS512' = 'HS256'): Mutation {
  return ({ header, claims, key }) => {
    const input = `${encode({ ...header, alg })}.${encode(claims)}`;
    const secret = publicKeyForms(key)[form] ?? '';
    return `${input}.${createHmac(alg === 'HS256' ? 'sha256' : 'sha512', secret)
      .update(input)
      .digest('base64url')}`;
  };
}

function unsigned(alg: string): Mutation {
  return ({ header, claims, token }) =>
    `${encode({ ...header, alg })}.${encode(claims)}.${token.split('.')[2]}`;
}

/** Adds a member to the text of an object. */
function plus(value: object, member: string): string {
  return `${JSON.stringify(value).slice(0, -1)},${member}}`;
}

function otherCurve({ header, claims }: Forge): string {
  const pair = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  return signToken({ ...own, ...pair }, { ...header, alg: 'ES256K' }, claims);
}

/** The base64url alphabet, to spell the last bits of a part otherwise. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

function respelt(part: string): string {
  return part.slice(0, -1) + (ALPHABET[ALPHABET.indexOf(part.at(-1) ?? '') + 1] ?? '');
}

const kid = (text: string | ((forge: Forge) => string)): Mutation =>
  withOwnKey((forge) => ({ kid: typeof text === 'string' ? text : text(forge) }));

/** What must be refused, each made from a valid token. */
export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'alg none, no signature': ({ header, claims }) =>
    `${encode({ ...header, alg: 'none' })}.${encode(claims)}.`,
  'alg none, any signature': unsigned('none'),
  'alg NONE': unsigned('NONE'),
  'alg empty': unsigned(''),
  'alg of an inherited property': unsigned('toString'),
  'HS256 with the public key as PEM': hmac(0),
  'HS256 with the public key as PEM without its last line break': hmac(1),
  'HS256 with the public key as DER': hmac(2),
  'HS256 with the public key as JWK': hmac(3),
  'HS512 with the public key as PEM': hmac(0, 'HS512'),
  'an algorithm that is not allowed': otherCurve,
  'RS256 for a key that signs with ES256': unsigned('RS256'),
  'no algorithm': withHeader(() => ({ alg: undefined })),
  'a changed claim': ({ token, claims }) =>
    token.replace(/\..*\./, `.${encode({ ...claims, sub: 'root' })}.`),
  'a changed header': ({ token, header }) =>
    token.replace(/^[^.]*/, encode({ ...header, typ: 'JWT' })),
  'another audience': withClaims(() => ({ aud: 'https://else.example' })),
  'the audience as the start of ours': withClaims(({ claims }) => ({
    aud: String(claims['aud']).slice(0, -1),
  })),
  'an audience in an object': withClaims(({ claims }) => ({
    aud: { 0: claims['aud'], length: 1 },
  })),
  'no audience': withClaims(() => ({ aud: undefined })),
  'an unknown issuer': withClaims(({ listener }) => ({ iss: listener })),
  'our issuer with a slash': withClaims(({ claims }) => ({ iss: `${String(claims['iss'])}/` })),
  'our issuer in a list': withClaims(({ claims }) => ({ iss: [claims['iss']] })),
  'no issuer': withClaims(() => ({ iss: undefined })),
  'an inherited property as issuer': withClaims(() => ({ iss: '__proto__' })),
  'no expiry': withClaims(() => ({ exp: undefined })),
  'an expiry as text': withClaims(({ now }) => ({ exp: String(now + 60) })),
  'an expiry that never comes': (forge) =>
    signToken(forge.key, forge.header, plus({ ...forge.claims, exp: undefined }, '"exp":1e999')),
  'expired 31 s ago': withClaims(({ now }) => ({ exp: now - 31 })),
  'not valid for another 31 s': withClaims(({ now }) => ({ nbf: now + 31 })),
  'a start as text': withClaims(() => ({ nbf: '0' })),
  'issued in 31 s': withClaims(({ now }) => ({ iat: now + 31 })),
  'no name': withClaims(() => ({ sub: undefined })),
  'an empty name': withClaims(() => ({ sub: '' })),
  'a name that is an object': withClaims(() => ({ sub: { toString: 'root' } })),
  'a name without an end': withClaims(() => ({ sub: 'a'.repeat(256) })),
  'no role': withClaims(() => ({ roles: undefined })),
  'a role that is none of ours': withClaims(() => ({
    roles: ['toString', '__proto__', 'SHOP-READER', 'shop-reader '],
  })),
  'a role in a list in a list': withClaims(() => ({ roles: [['shop-reader']] })),
  'the type of an ID token': withHeader(() => ({ typ: 'id+jwt' })),
  'the type of a logout token': withHeader(() => ({ typ: 'logout+jwt' })),
  'a type that is no text': withHeader(() => ({ typ: 1 })),
  'the key as a URL': kid(({ listener }) => `${listener}/key.pem`),
  'the key as a path': kid('../../../../../../dev/null'),
  'the key as SQL': kid("x' UNION SELECT 'secret'; --"),
  'the key as a command': kid('one|/usr/bin/id'),
  'the key as an inherited property': kid('__proto__'),
  'no key, signed with another': withOwnKey(() => ({ kid: undefined })),
  'a key of another type': withHeader(() => ({ kid: 1 })),
  "another key's signature": withOwnKey(),
  jku: withOwnKey(({ listener }) => ({ jku: `${listener}/jwks` })),
  x5u: withOwnKey(({ listener }) => ({ x5u: `${listener}/cert` })),
  'jku and an unknown key': withOwnKey(({ listener }) => ({ jku: `${listener}/jwks`, kid: 'own' })),
  jwk: withOwnKey(() => ({ jwk: publicJwk(own) })),
  'jwk with its key named': withOwnKey(() => ({ jwk: publicJwk(own), kid: 'own' })),
  x5c: withOwnKey(() => ({
    x5c: [own.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')],
  })),
  'a truncated signature': withPart(2, (part) => part.slice(0, -4)),
  'a lengthened signature': withPart(2, (part) => `${part}AAAA`),
  'an empty signature': withPart(2, () => ''),
  'a signature of zeros': withPart(2, (part) => 'A'.repeat(part.length)),
  'a signature that is spelt otherwise': withPart(2, respelt),
  'a signature with padding': withPart(2, (part) => `${part}==`),
  'a signature with white space': withPart(2, (part) => `${part.slice(0, 8)} ${part.slice(8)}`),
  'no header': withPart(0, () => ''),
  'no claims': withPart(1, () => ''),
  'a dot before': ({ token }) => `.${token}`,
  'a dot behind': ({ token }) => `${token}.`,
  'two dots between': ({ token }) => token.replace('.', '..'),
  'five parts': ({ token }) => `${token}.a.b`,
  'two parts': ({ token }) => token.split('.').slice(0, 2).join('.'),
  'a claim named twice': ({ key, header, claims }) =>
    signToken(key, header, plus(claims, '"sub":"root"')),
  'an expiry named twice': ({ key, header, claims, now }) =>
    signToken(key, header, plus(claims, `"exp":${now + 1e6}`)),
  'an algorithm named twice': ({ key, header, claims }) =>
    signToken(key, plus(header, '"alg":"ES256"'), claims),
  'claims that are a list': ({ key, header, claims }) => signToken(key, header, [claims]),
  'claims that are null': ({ key, header }) => signToken(key, header, 'null'),
  'claims that are no JSON': ({ key, header }) => signToken(key, header, '{"iss":'),
  'claims in no text': ({ key, header, claims }) =>
    signToken(key, header, claims).replace(/\.[^.]+\./, `.${'_'.repeat(40)}.`),
  'claims that are nested deeply': ({ key, header, claims }) =>
    signToken(key, header, plus(claims, `"x":${'['.repeat(1000)}${']'.repeat(1000)}`)),
  'an extension that must be understood': withHeader(() => ({ crit: ['exp'], exp: 1 })),
  'an empty list of extensions': withHeader(() => ({ crit: [] })),
  'an unencoded payload': ({ key, header, claims }) =>
    signToken(key, { ...header, b64: false, crit: ['b64'] }, claims),
  'a huge token': withClaims(() => ({ filler: 'x'.repeat(1_000_000) })),
  'a token just too long': withClaims(() => ({ filler: 'x'.repeat(6200) })),
  'our issuer, signed by another that is trusted': ({ header, claims, other }) =>
    signToken(other.key, header, claims),
  'another trusted issuer, signed by ours': ({ key, header, claims, other }) =>
    signToken(key, header, { ...claims, iss: other.issuer }),
  'claims of ours, signature of another': ({ token, other }) =>
    [...token.split('.').slice(0, 2), other.token.split('.')[2]].join('.'),
};
