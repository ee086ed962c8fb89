import { readJsonBytes } from '@proj/fastify/host';
import * as z from 'zod';

/** Node reads 16 KiB of headers in all. */
const MAX_LENGTH = 8 * 1024;

const SHAPE = /^[\w-]+\.[\w-]+\.[\w-]+$/;

const headerSchema = z.object({
  alg: z.string(),
  typ: z.string().optional(),
  kid: z.string().optional(),
});

const claimsSchema = z.object({ iss: z.string(), iat: z.number().optional() });

export interface UnverifiedToken {
  readonly header: z.output<typeof headerSchema>;
  readonly claims: z.output<typeof claimsSchema>;
}

/** Three parts separated by dots. */
export function looksLikeJwt(token: string): boolean {
  return token.length <= MAX_LENGTH && SHAPE.test(token);
}

/** Strict: no other spelling of parts, no member named twice. Undefined for anything else. */
export function readUnverified(token: string): UnverifiedToken | undefined {
  const parts = token.split('.').map((part) => Buffer.from(part, 'base64url'));
  // Bits behind the last byte would let a token be spelt in several ways.
  if (parts.map((part) => part.toString('base64url')).join('.') !== token) return undefined;
  const [header, claims] = parts;
  try {
    return {
      header: headerSchema.parse(jsonOf(header)),
      claims: claimsSchema.parse(jsonOf(claims)),
    };
  } catch {
    return undefined;
  }
}

function jsonOf(part: Buffer | undefined): unknown {
  return part === undefined ? undefined : readJsonBytes(part);
}
