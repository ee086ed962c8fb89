import type { Logger } from 'pino';

/** What the verifier logs for the operator. No line holds any part of a token. */
export type JwtLog = Pick<Logger, 'info' | 'warn'>;

export const SILENT: JwtLog = {
  info: () => undefined,
  warn: () => undefined,
};
