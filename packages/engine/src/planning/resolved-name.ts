import type { RequestError } from '@proj/contract';

import type { Attribute, Model, OrderTerm } from '../catalogue/model.ts';
import type { Condition, Join, Link } from './condition.ts';

import { quote, unknownAttribute } from './unknown-name.ts';

/** What a name in a request means, or why it means nothing. */
export type ResolvedName =
  | { readonly attribute: Attribute; readonly error?: never }
  | { readonly attribute?: never; readonly error: RequestError };

/** Records that refer to others, and what names in a condition on them mean. */
export interface RelatedRecords extends Link {
  readonly number: number;
  /** The number of the rows that they refer to; undefined for those that are listed. */
  readonly from: number | undefined;
  readonly names: ConditionNames & { readonly joins: readonly Join[] };
  /** Which of them exist for the caller; all where undefined. */
  readonly policy: Condition | undefined;
}

/** What the names in a condition mean. */
export interface ConditionNames {
  /** @param pointer where the request has the name */
  resolve(name: string, pointer: string): ResolvedName;
  /** The records that refer to those of the condition by this name. */
  referring(
    name: string,
    pointer: string,
  ): { readonly found: RelatedRecords } | { readonly error: RequestError };
}

/** What the names of a list mean, and the order that it has without them. */
export interface ListNames extends ConditionNames {
  /** The model as the caller sees it. */
  readonly model: Model;
  readonly defaultOrder: readonly OrderTerm[];
  /** What makes an order of the rows total. */
  readonly key: readonly OrderTerm[];
  /**
   * The attribute of a name that `resolve` has found.
   *
   * @throws {Error} where it has not: the error that it gave is to be reported
   */
  find(name: string): Attribute;
}

/** For `find` of {@link ListNames}, of the attributes that were found. */
export function foundIn(known: ReadonlyMap<string, Attribute>, name: string): Attribute {
  const attribute = known.get(name);
  if (attribute === undefined) throw new Error(`The name ${quote(name)} was not found.`);
  return attribute;
}

/**
 * The names of attributes alone, without paths along relations.
 *
 * @param number the number of the rows; undefined for those that are listed
 */
export function plainNames(model: Model, number?: number): ConditionNames {
  return {
    resolve: (name, pointer) => {
      const attribute = model.attributes.get(name);
      if (attribute === undefined) return { error: unknownAttribute(name, model, pointer) };
      return { attribute: number === undefined ? attribute : { ...attribute, join: number } };
    },
    referring: (name, pointer) => ({ error: unknownAttribute(name, model, pointer) }),
  };
}
