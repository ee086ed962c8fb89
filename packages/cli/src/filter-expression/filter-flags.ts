import type { Filter } from '@proj/client';
import {
  AmbiguousJsonError,
  compileFilter,
  ExpressionError,
  type LinkedModel,
  readFilter,
  readStrictJson,
} from '@proj/contract';
import stringWidth from 'string-width';

import { UnknownAttributeError, UsageError } from '../failure.ts';
import { printable } from '../output/printable.ts';

/** A record must pass all of them. */
export interface FilterFlags {
  readonly filter?: readonly string[];
  readonly filterJson?: string;
}

/** @throws {UsageError} when a flag cannot be read, or the whole is larger than allowed */
export function filterOf(
  { filter: texts = [], filterJson }: FilterFlags,
  model: LinkedModel,
): Filter | undefined {
  const written = texts.map((text) => compiled(text, model, '--filter'));
  const parts = filterJson === undefined ? written : [...written, parseFilterJson(filterJson)];
  if (parts.length < 2) return parts[0] && checked(parts[0], '--filter');
  // Nested conjunctions would use up one of the five levels.
  return checked({ and: parts.flatMap((part) => ('and' in part ? part.and : [part])) }, '--filter');
}

/** @param place where the expression is written, for errors as in {@link filterOf} */
export function filterAt(place: string, text: string, model: LinkedModel): Filter {
  return checked(compiled(text, model, place), place);
}

function compiled(text: string, model: LinkedModel, place: string): Filter {
  return readAt(place, text, () => compileFilter(text, model));
}

function parseFilterJson(text: string): Filter {
  try {
    return checked(readStrictJson(text), '--filter-json');
  } catch (error) {
    if (error instanceof AmbiguousJsonError)
      throw new UsageError(`--filter-json: ${error.message}`);
    if (!(error instanceof SyntaxError)) throw error;
    throw new UsageError(
      '--filter-json: not a JSON text. Example: ' +
        `'{"attribute":"population","op":"gte","value":"1000000"}'`,
    );
  }
}

function checked(value: unknown, flag: string): Filter {
  const { filter, errors } = readFilter(value, []);
  if (filter) return filter;
  throw new UsageError(
    `${flag}: ${errors.map(({ detail }) => detail.replace(/^: /, '')).join(' ')}`,
  );
}

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
