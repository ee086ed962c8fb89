import { QueryFailedError } from '../errors.ts';
import type { PageRows } from '../sources/source.ts';

/** More than the database can return at once; no total is sent. */
export const TOO_LARGE: PageRows = Object.freeze({
  json: undefined,
  rows: 0,
  total: 0n,
  version: undefined,
  milliseconds: Object.freeze({ rows: 0, count: 0 }),
});

export function isTooLarge(error: unknown): boolean {
  return error instanceof QueryFailedError && error.code === 'reply_too_large';
}

export function pageTooLarge(error: unknown): PageRows {
  if (isTooLarge(error)) return TOO_LARGE;
  throw error;
}
