import {
  compileRelated,
  type LinkedModel,
  type RequestedRelated,
  withRelated,
} from '@proj/contract';

import { ToolError } from '../errors/explain.ts';
import { type Lookup, lookUpLinkedModel } from '../model-lookup.ts';
import { readExpression } from './read-expression.ts';

/** A model, with what is counted of related records as attributes. */
export interface AskedModel {
  readonly model: LinkedModel;
  readonly related: RequestedRelated | undefined;
}

/** The arguments that name one. */
interface ModelArguments {
  readonly model: string;
  readonly related?: readonly string[] | undefined;
}

/**
 * Looks up the model that a call is about.
 *
 * @param texts others that may name paths or related records
 * @throws {ToolError | DynamicQueryError} when there is none, or nothing is counted that way.
 */
export async function lookUpAsked(
  { model: name, related: texts = [] }: ModelArguments,
  others: readonly (string | undefined)[],
  lookup: Lookup,
): Promise<AskedModel> {
  const isRelated = texts.length > 0;
  const found = await lookUpLinkedModel(name, { texts: others, isRelated }, lookup);
  if (!isRelated) return { model: found, related: undefined };
  const terms = texts.map((text) =>
    readExpression('related', text, () => compileRelated(text, found)),
  );
  const names = terms.map(([term]) => term);
  const repeated = names.find((one, index) => names.indexOf(one) !== index);
  if (repeated !== undefined) throw new ToolError(`related: "${repeated}" is named twice.`);
  const related = Object.fromEntries(terms);
  return { model: withRelated(found, related), related };
}
