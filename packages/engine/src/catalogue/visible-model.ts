import type { Filter } from '@proj/contract';

import type { Grant, ModelGrant } from './grant.ts';
import type { Catalogue, Model } from './model.ts';

/** A model as a caller sees it. */
export interface VisibleModel {
  /** The model with those attributes that the caller may see. */
  readonly visible: Model;
  /** The model with all of its attributes. */
  readonly full: Model;
  /** Which records exist for the caller; all where undefined. */
  readonly rowPolicy: Filter | undefined;
}

/** The model of this name as the grant shows it; undefined where there is none for the caller. */
export function visibleModel(
  catalogue: Catalogue,
  { models }: Grant,
  name: string,
): VisibleModel | undefined {
  const full = catalogue.get(name);
  if (full === undefined) return undefined;
  if (models === 'all') return { visible: full, full, rowPolicy: undefined };
  const granted = models.get(name);
  return granted && { visible: withGrant(full, granted), full, rowPolicy: granted.rowPolicy };
}

/** The models that the grant shows, in the order of the catalogue. */
export function visibleModels(catalogue: Catalogue, grant: Grant): Model[] {
  return [...catalogue.keys()].flatMap(
    (name) => visibleModel(catalogue, grant, name)?.visible ?? [],
  );
}

function withGrant(model: Model, { attributes, maxPageSize }: ModelGrant): Model {
  const visible = [...model.attributes].filter(
    ([name]) => attributes === 'all' || attributes.has(name),
  );
  return Object.freeze({
    ...model,
    attributes: new Map(visible),
    maxPageSize: Math.min(maxPageSize ?? Infinity, model.maxPageSize),
  });
}
