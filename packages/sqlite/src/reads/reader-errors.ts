import type { ReaderError } from '../connection/reader-protocol.ts';

/** The statement names something that is missing, or reads a broken view. */
export class PrepareError extends Error {
  override readonly name = 'PrepareError';
}

/** The file cannot be read now, whatever SQLite makes of its contents. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError';
  readonly code = 'UNREADABLE_FILE';
}

/** SQLite may cache pages that the file no longer has, so another connection is needed. */
export class StaleConnectionError extends UnreadableFileError {}

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
