import type { Filter } from '@proj/client';
import { compileFilter, ExpressionError, type LinkedModel } from '@proj/contract';

import { didYouMean, type Lookup } from '../model-lookup.ts';
import { expressionError } from './read-expression.ts';

/** A filter as a call writes it: in the filter language, or as the tree of the API. */
export type WrittenFilter = string | Readonly<Record<string, unknown>>;

/** What a filter is read with. */
export interface FilterPlace {
  /** The argument that has it, for errors. */
  readonly argument: string;
  readonly model: LinkedModel;
  /** Where names that the model does not have are asked for; undefined where they are no one's. */
  readonly lookup?: Lookup;
}

/**
 * The tree of a filter, which the service checks. Nothing where it is absent or an empty text.
 *
 * @throws {ToolError} at the first error of an expression, with the name that may be meant.
 */
export async function readFilter(
  filter: WrittenFilter | undefined,
  { argument, model, lookup }: FilterPlace,
): Promise<Filter | undefined> {
  if (typeof filter !== 'string') return filter as Filter | undefined;
  if (filter.trim() === '') return undefined;
  try {
    return compileFilter(filter, model);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const hint =
      error.unknown === undefined || lookup === undefined
        ? ''
        : await didYouMean(error.unknown, { model: model.name, lookup });
    throw expressionError(argument, { text: filter, error, hint });
  }
}

/** The texts of a filter that may name paths or related records. */
export function textOf(filter: WrittenFilter | undefined): string | undefined {
  return typeof filter === 'string' ? filter : undefined;
}
