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

/** The models to which named relations lead, as far as the token sees them. */
export function relatedModels({ references = [], others = [] }: LinkedModel): RelatedModel[] {
  return references.flatMap(({ name, attributes, model }) => {
    const found = others.find((entry) => entry.name === model);
    return name === undefined || found === undefined
      ? []
      : [{ relation: name, attributes, model: { ...found, others } }];
  });
}
