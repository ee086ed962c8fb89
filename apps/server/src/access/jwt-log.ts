import type { FastifyBaseLogger } from 'fastify';

/** What the verifier tells the operator. No line holds any part of a token. */
export type JwtLog = Pick<FastifyBaseLogger, 'debug' | 'info' | 'warn'>;

export const SILENT: JwtLog = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
};
