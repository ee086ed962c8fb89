import type { ModelEntry } from '@proj/client';
import { type LinkedModel, RELATION_LIMITS } from '@proj/contract';

/** A model to which a relation of another one leads. */
export interface RelatedModel {
  /** The name of the relation. */
  readonly relation: string;
  /** The attributes that hold the key of the other record. */
  readonly attributes: readonly string[];
  readonly model: LinkedModel;
}

/** How many relations a path may have. */
export const MOST_RELATIONS = RELATION_LIMITS.steps;

/** The models with each other, so that paths from one of them can be looked up. */
export function linkedModels(models: readonly ModelEntry[]): readonly LinkedModel[] {
  return models.map((model) => ({ ...model, others: models }));
}

/** The record that has the attribute at the end of a path. */
export interface PathEnd {
  /** The relations on the way to it, each with a dot behind it. */
  readonly way: string;
  readonly model: LinkedModel;
}

/** Where a path leads; undefined for an attribute of the model itself, and for no path. */
export function pathEnd(
  path: string,
  model: LinkedModel,
  steps: number = MOST_RELATIONS,
): PathEnd | undefined {
  if (steps === 0 || hasAttribute(model, path)) return undefined;
  for (const { relation, model: target } of relatedModels(model)) {
    if (!path.startsWith(`${relation}.`)) continue;
    const rest = path.slice(relation.length + 1);
    const end = hasAttribute(target, rest)
      ? { way: '', model: target }
      : pathEnd(rest, target, steps - 1);
    if (end !== undefined) return { ...end, way: `${relation}.${end.way}` };
  }
  return undefined;
}

function hasAttribute({ attributes }: LinkedModel, name: string): boolean {
  return attributes.some((attribute) => attribute.name === name);
}

/** The models to which named relations lead, as far as the token sees them. */
export function relatedModels({ references = [], others = [] }: LinkedModel): RelatedModel[] {
  return references.flatMap(({ name, attributes, model }) => {
    const found = others.find((entry) => entry.name === model);
    return name === undefined || found === undefined
      ? []
      : [{ relation: name, attributes, model: { ...found, others } }];
  });
}
