import type { ExpressionError } from '@proj/contract';
import stringWidth from 'string-width';

import { UnknownAttributeError, UsageError } from '../failure.ts';
import { printable } from '../output/printable.ts';

/** Shows the error below the expression. @param place where the caller wrote it */
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
