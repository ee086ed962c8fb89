import type { ModelEntry } from '@proj/client';

/** A model that was found, with the attributes that the search met. */
export interface FoundModel {
  readonly model: ModelEntry;
  /** Empty when the model itself was met. */
  readonly attributes: readonly string[];
}

/**
 * The models whose name, description or attributes hold the text, in any letter case; all of them
 * for an empty text.
 */
export function searchModels(models: readonly ModelEntry[], text: string): readonly FoundModel[] {
  const wanted = text.trim().toLowerCase();
  const holds = (candidate: string | null) =>
    candidate !== null && candidate.toLowerCase().includes(wanted);
  return models.flatMap((model) => {
    if (holds(model.name) || wanted === '') return [{ model, attributes: [] }];
    const attributes = model.attributes.filter(
      ({ name, description }) => holds(name) || holds(description),
    );
    if (attributes.length > 0) return [{ model, attributes: attributes.map(({ name }) => name) }];
    return holds(model.description) ? [{ model, attributes: [] }] : [];
  });
}
