import { compileRelated, type LinkedModel, type RequestedRelated } from '@proj/contract';

import { UsageError } from '../failure.ts';
import { readAt } from '../filter-expression/point-at.ts';

/** @throws {UsageError} when a text cannot be read, or two have one name */
export function readRelated(
  texts: readonly string[] | undefined,
  model: LinkedModel,
): RequestedRelated | undefined {
  const terms = texts?.map((text) => readAt('--related', text, () => compileRelated(text, model)));
  const names = terms?.map(([name]) => name);
  const repeated = names?.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new UsageError(`--related: "${repeated}" is named twice.`);
  return terms && Object.fromEntries(terms);
}
