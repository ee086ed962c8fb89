import type { Filter } from '@proj/contract';

import type { Grant, ModelGrant } from './grant.ts';
import type { Catalogue, Model } from './model.ts';

export interface VisibleModel {
  readonly visible: Model;
  readonly full: Model;
  /** Default: all records exist for the caller. */
  readonly rowPolicy: Filter | undefined;
}

/** Undefined where the caller sees no such model. */
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
