import type { RequestError } from '@proj/contract';

import type { Attribute, Model, OrderTerm } from '../catalogue/model.ts';
import type { Condition, Join, Link } from './condition.ts';

import { quote, unknownAttribute } from './unknown-name.ts';

export type ResolvedName =
  | { readonly attribute: Attribute; readonly error?: never }
  | { readonly attribute?: never; readonly error: RequestError };

export interface RelatedRecords extends Link {
  readonly names: ConditionNames & { readonly joins: readonly Join[] };
  readonly policy: Condition | undefined;
}

export interface ConditionNames {
  resolve(name: string, pointer: string): ResolvedName;
  /** Finds records that refer to those of the condition. Absent where nothing does. */
  referring?(name: string, pointer: string): RelatedRecords | { readonly error: RequestError };
}

export interface ListNames extends ConditionNames {
  readonly model: Model;
  readonly defaultOrder: readonly OrderTerm[];
  readonly key: readonly OrderTerm[];
}

/** @throws {Error} for names with an error, which was to be reported */
export function attributeNamed(name: string, names: ListNames): Attribute {
  const { attribute } = names.resolve(name, '');
  if (attribute === undefined) throw new Error(`The name ${quote(name)} was not found.`);
  return attribute;
}

export function plainNames(model: Model, number?: number): ConditionNames {
  return {
    resolve: (name, pointer) => {
      const attribute = model.attributes.get(name);
      if (attribute === undefined) return { error: unknownAttribute(name, model, pointer) };
      return { attribute: number === undefined ? attribute : { ...attribute, join: number } };
    },
  };
}
