import type { ReaderError } from '../connection/reader-protocol.ts';

/**
 * A statement could not be prepared: what it names is not there, or a view that it reads is broken.
 */
export class PrepareError extends Error {
  override readonly name = 'PrepareError';
}

/** The file cannot be read at the moment, whatever SQLite makes of its contents. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError';
  readonly code = 'UNREADABLE_FILE';
}

/**
 * SQLite may keep pages in memory that the file no longer has: another connection has to be opened.
 */
export class StaleConnectionError extends UnreadableFileError {}

/** What of an error is sent to the server. */
export function describeError(error: unknown): ReaderError {
  const preparing = error instanceof PrepareError;
  const reason: unknown = preparing ? error.cause : error;
  if (!(reason instanceof Error))
    return { message: String(reason), errcode: undefined, code: undefined, preparing };
  const errcode =
    'errcode' in reason && typeof reason.errcode === 'number' ? reason.errcode : undefined;
  const code = 'code' in reason && typeof reason.code === 'string' ? reason.code : undefined;
  return { message: reason.message, errcode, code, preparing };
}
