import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';

import { freePort } from '@proj/test-servers';

/** An identity provider that signs tokens and shows its keys. */
export interface Issuer {
  /** The entry of the service's settings. */
  readonly settings: object;
  /** Signs a token; times are in seconds from now. */
  readonly token: (claims?: {
    readonly exp?: number;
    readonly nbf?: number;
    readonly iat?: number;
  }) => string;
  /** Makes a new key, and shows that one alone. */
  readonly rotate: () => void;
  /** How often the keys were fetched. */
  readonly fetches: () => number;
  /** What the keys' address answers from now on; `true` the keys, `false` an error. */
  readonly answers: (works: boolean) => void;
  readonly stop: () => void;
}

const AUDIENCE = 'fault-suite';

/** Starts an identity provider on loopback. */
export async function startIssuer(): Promise<Issuer> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  let key = makeKey(1);
  let fetches = 0;
  let works = true;
  const server = createServer((_request, response) => {
    fetches += 1;
    if (works)
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ keys: [key.public] }));
    else response.writeHead(500).end();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    settings: {
      issuer: origin,
      audience: AUDIENCE,
      jwks_url: `${origin}/keys`,
      algorithms: ['ES256'],
      roles: { reader: 'reader' },
    },
    token: ({ exp = 300, nbf, iat = 0 } = {}) => {
      const now = Math.floor(Date.now() / 1000);
      const times = {
        exp: now + exp,
        iat: now + iat,
        ...(nbf !== undefined && { nbf: now + nbf }),
      };
      return signed(
        { iss: origin, aud: AUDIENCE, sub: 'caller', roles: ['reader'], ...times },
        key,
      );
    },
    rotate: () => {
      key = makeKey(key.number + 1);
    },
    fetches: () => fetches,
    answers: (value) => {
      works = value;
    },
    stop: () => server.close().closeAllConnections(),
  };
}

interface Key {
  readonly number: number;
  readonly public: object;
  readonly private: KeyObject;
}

function makeKey(number: number): Key {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    number,
    private: privateKey,
    public: {
      ...publicKey.export({ format: 'jwk' }),
      kid: `key-${number}`,
      alg: 'ES256',
      use: 'sig',
    },
  };
}

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function signed(claims: object, key: Key): string {
  const text = `${part({ alg: 'ES256', typ: 'JWT', kid: `key-${key.number}` })}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(text), {
    key: key.private,
    dsaEncoding: 'ieee-p1363',
  });
  return `${text}.${signature.toString('base64url')}`;
}
