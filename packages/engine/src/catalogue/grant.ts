import type { Filter } from '@proj/contract';

import type { Catalogue, Model } from './model.ts';

/** What a caller may see of one model. */
export interface ModelGrant {
  readonly attributes: 'all' | ReadonlySet<string>;
  /** The largest page size; the smaller of this and the model's own counts. */
  readonly maxPageSize?: number;
  /**
   * Which elements exist for the caller. It may compare attributes that the caller does not see.
   */
  readonly rows?: Filter;
}

/** What a caller may see. Everything else does not exist for that caller. */
export interface Grant {
  /** The models by name, or every model of the catalogue. */
  readonly models: 'all' | ReadonlyMap<string, ModelGrant>;
}

/** The grant of a token that may read every exposed model. */
export const EVERYTHING: Grant = Object.freeze({ models: 'all' });

/** A model as a caller sees it. */
export interface VisibleModel {
  /** The model with those attributes that the caller may see. */
  readonly model: Model;
  /** The model with all of its attributes. */
  readonly whole: Model;
  /** Which elements exist for the caller; all where undefined. */
  readonly rows: Filter | undefined;
}

/** The model of this name as the grant shows it, unless the grant hides it. */
export function visibleModel(
  catalogue: Catalogue,
  grant: Grant,
  name: string,
): VisibleModel | undefined {
  const whole = catalogue.get(name);
  if (whole === undefined) return undefined;
  if (grant.models === 'all') return { model: whole, whole, rows: undefined };
  const granted = grant.models.get(name);
  return granted && { model: narrowed(whole, granted), whole, rows: granted.rows };
}

/** The models that the grant shows, in the order of the catalogue. */
export function visibleModels(catalogue: Catalogue, grant: Grant): Model[] {
  return [...catalogue.keys()].flatMap((name) => visibleModel(catalogue, grant, name)?.model ?? []);
}

/** Narrowing copies a model, so each is kept as long as its grant and its model live. */
const NARROWED = new WeakMap<ModelGrant, WeakMap<Model, Model>>();

function narrowed(model: Model, grant: ModelGrant): Model {
  const known = NARROWED.get(grant)?.get(model);
  if (known !== undefined) return known;
  const made = narrow(model, grant);
  NARROWED.set(grant, (NARROWED.get(grant) ?? new WeakMap<Model, Model>()).set(model, made));
  return made;
}

function narrow(model: Model, { attributes, maxPageSize = model.maxPageSize }: ModelGrant): Model {
  const shown = [...model.attributes].filter(
    ([name]) => attributes === 'all' || attributes.has(name),
  );
  return Object.freeze({
    ...model,
    attributes: new Map(shown),
    maxPageSize: Math.min(maxPageSize, model.maxPageSize),
  });
}
