import stringWidth from 'string-width';

import { UnknownAttributeError, UsageError } from '../failure.ts';
import { printable } from '../output/printable.ts';

/** An error at one place of a filter expression. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  /** Where it is, in UTF-16 units from the start of the text. */
  readonly at: number;
  /** The name that the model does not have, where that is the error. */
  readonly unknown: string | undefined;

  constructor(at: number, message: string, unknown?: string) {
    super(message);
    this.at = at;
    this.unknown = unknown;
  }
}

/**
 * Shows the error below the expression, with a caret at its column.
 *
 * @param place where the caller wrote the expression
 */
export function pointAt(
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
