import { ExpressionError } from '@proj/contract';
import stringWidth from 'string-width';

import { UnknownAttributeError, UsageError } from '../failure.ts';
import { printable } from '../output/printable.ts';

/**
 * Reads an expression, and shows its error below it.
 *
 * @param place where the caller wrote it
 * @throws {UsageError} in place of an {@link ExpressionError}
 */
export function readAt<Read>(place: string, text: string, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    throw error instanceof ExpressionError ? pointAt(text, error, place) : error;
  }
}

function pointAt(
  text: string,
  { at, message, unknown }: ExpressionError,
  place: string,
): UsageError {
  const before = printable(text.slice(0, at));
  const column = Array.from(text.slice(0, at)).length + 1;
  const shown =
    `${place}: column ${column}: ${message}\n  ${printable(text)}\n  ` +
    `${' '.repeat(stringWidth(before))}^`;
  return unknown === undefined ? new UsageError(shown) : new UnknownAttributeError(unknown, shown);
}
