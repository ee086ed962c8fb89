import type { Filter, Sort } from '@proj/client';
import {
  compileFilter,
  compileRelated,
  ExpressionError,
  type LinkedModel,
  type RequestedRelated,
  withRelated,
} from '@proj/contract';

import { ToolError } from '../errors/explain.ts';
import { didYouMean, type Lookup, lookUpLinkedModel } from '../model-lookup.ts';

/** A filter as a call writes it: in the filter language, or as the tree of the API. */
export type WrittenFilter = string | Readonly<Record<string, unknown>>;

/** Where a filter is written. */
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
  place: FilterPlace,
): Promise<Filter | undefined> {
  if (typeof filter !== 'string') return filter as Filter | undefined;
  if (filter.trim() === '') return undefined;
  return readText(filter, place, () => compileFilter(filter, place.model));
}

/** @throws {ToolError} in place of an {@link ExpressionError} */
async function readText<Read>(
  text: string,
  { argument, model, lookup }: FilterPlace,
  read: () => Read,
): Promise<Read> {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const { at, message, unknown } = error;
    const isAsked = unknown !== undefined && lookup !== undefined;
    const hint = isAsked ? await didYouMean(unknown, { model: model.name, lookup }) : '';
    const found = JSON.stringify(text.slice(at, at + 30));
    throw new ToolError(`${argument}: column ${at + 1}, at ${found}: ${message}${hint}`);
  }
}

/** The texts of a filter that may name paths or related records. */
export function textOf(filter: WrittenFilter | undefined): string | undefined {
  return typeof filter === 'string' ? filter : undefined;
}

/** A model, with what is counted of related records as attributes. */
export interface AskedModel {
  readonly model: LinkedModel;
  readonly related: RequestedRelated | undefined;
}

/**
 * Looks up the model that a call is about.
 *
 * @param others texts that may name paths or related records
 * @throws {ToolError | DynamicQueryError} when there is none, or nothing is counted that way.
 */
export async function lookUpAsked(
  asked: { readonly model: string; readonly related?: readonly string[] | undefined },
  others: readonly (string | undefined)[],
  lookup: Lookup,
): Promise<AskedModel> {
  const { related: texts = [] } = asked;
  const isRelated = texts.length > 0;
  const model = await lookUpLinkedModel(asked.model, { texts: others, isRelated }, lookup);
  if (!isRelated) return { model, related: undefined };
  const terms = new Map<string, RequestedRelated[string]>();
  for (const text of texts) {
    const place = { argument: 'related', model };
    const [name, term] = await readText(text, place, () => compileRelated(text, model));
    if (terms.has(name)) throw new ToolError(`related: "${name}" is named twice.`);
    terms.set(name, term);
  }
  const related = Object.fromEntries(terms);
  return { model: withRelated(model, related), related };
}

/**
 * The order that terms such as `population desc nulls last`, or `-population`, ask for.
 *
 * @throws {ToolError} when a term is empty.
 */
export function readSort(terms: readonly string[] | undefined): Sort[] | undefined {
  return terms?.map((term) => {
    const { rest, ending: nulls } = takeEnding(term, /\snulls\s+(first|last)$/i);
    const { rest: signed, ending: way } = takeEnding(rest, /\s(asc|desc)$/i);
    const name = signed.replace(/^-/, '');
    if (name === '')
      throw new ToolError(`sort: expected terms such as "population desc"; got "${term}".`);
    const isDown = signed.startsWith('-') || way === 'desc';
    return {
      attribute: name,
      direction: isDown ? 'desc' : 'asc',
      ...(nulls && { nulls: nulls === 'first' ? 'first' : 'last' }),
    };
  });
}

/** A term without the words at its end, and which ones these are. */
function takeEnding(term: string, words: RegExp): { rest: string; ending: string | undefined } {
  const text = term.trim();
  const found = words.exec(text);
  return { rest: text.slice(0, found?.index).trimEnd(), ending: found?.[1]?.toLowerCase() };
}
