import { ExpressionError } from '@proj/contract';

import { ToolError } from '../errors/explain.ts';

/**
 * Reads a text of the filter language.
 *
 * @param argument the argument that has it
 * @throws {ToolError} in place of an {@link ExpressionError}
 */
export function readExpression<Read>(argument: string, text: string, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    throw error instanceof ExpressionError ? expressionError(argument, { text, error }) : error;
  }
}

interface Failed {
  readonly text: string;
  readonly error: ExpressionError;
  /** What may be meant. */
  readonly hint?: string;
}

export function expressionError(
  argument: string,
  { text, error: { at, message }, hint = '' }: Failed,
): ToolError {
  const found = JSON.stringify(text.slice(at, at + 30));
  return new ToolError(`${argument}: column ${at + 1}, at ${found}: ${message}${hint}`);
}
