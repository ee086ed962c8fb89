import type { Catalogue, Model } from './model.ts';

/** What a caller may see. Everything else does not exist for that caller. */
export interface Grant {
  /** The models, or every model of the catalogue. */
  readonly models: 'all' | ReadonlySet<string>;
}

/** The grant of a token that may read every exposed model. */
export const EVERYTHING: Grant = Object.freeze({ models: 'all' });

/** The model of this name, unless the grant hides it. */
export function visibleModel(catalogue: Catalogue, grant: Grant, name: string): Model | undefined {
  return grant.models === 'all' || grant.models.has(name) ? catalogue.get(name) : undefined;
}

/** The models that the grant shows, in the order of the catalogue. */
export function visibleModels(catalogue: Catalogue, grant: Grant): Model[] {
  return [...catalogue.keys()].flatMap((name) => visibleModel(catalogue, grant, name) ?? []);
}
