import type { Logger } from 'pino';

/** No line holds any part of a token. */
export type JwtLog = Pick<Logger, 'info' | 'warn'>;

export const SILENT: JwtLog = {
  info: () => undefined,
  warn: () => undefined,
};
