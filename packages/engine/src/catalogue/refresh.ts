import { isDeepStrictEqual } from 'node:util';
import { nameTexts } from '@proj/contract';

import type { BuiltCatalogue } from './build/build.ts';
import type { Attribute, Catalogue, Model, ToOne } from './model.ts';

/**
 * Adds and removes none: nothing new is shown without the operator, and {@link Model.missing} parts
 * come back by themselves. Unchanged models are the same objects.
 */
export function refreshCatalogue(served: Catalogue, found: BuiltCatalogue): Catalogue {
  return new Map([...served].map(([name, model]) => [name, refreshModel(model, found)]));
}

function refreshModel(known: Model, { catalogue, reports }: BuiltCatalogue): Model {
  const found = catalogue.get(known.name);
  const reason = reports
    .flatMap(({ model, problem }) => (model === known.name ? problem : []))
    .join(' ');
  // With everything exposed, nothing unnamed is reported.
  const noRelation = `The database has no table or view named "${known.path.at(-1)}".`;
  const fresh: Model =
    found === undefined
      ? { ...known, missing: { columns: 'all', reason: reason || noRelation } }
      : merge(known, found, reason);
  return isDeepStrictEqual(fresh, known) ? known : Object.freeze(fresh);
}

function merge(known: Model, found: Model, reason: string): Model {
  const gone = [...known.attributes.values()].filter(({ name }) => !found.attributes.has(name));
  const lost = gone.map(({ column }) => column);
  const why = reason || `It has no column named ${nameTexts(lost)}.`;
  const attributes = [...known.attributes.values()].map((attribute): [string, Attribute] => [
    attribute.name,
    found.attributes.get(attribute.name) ?? attribute,
  ]);
  const relations = [...known.relations].map(([name, relation]): [string, ToOne] => [
    name,
    found.relations.get(name) ?? { ...relation, isMissing: true },
  ]);
  return {
    ...found,
    attributes: new Map(attributes),
    relations: new Map(relations),
    missing: lost.length === 0 ? undefined : { columns: new Set(lost), reason: why },
  };
}

export interface ModelChange {
  readonly model: string;
  /** `lost`: parts are missing; `back`: all is there; `changed`: types, key or column differ. */
  readonly change: 'lost' | 'back' | 'changed';
  readonly reason: string;
}

export function modelChanges(before: Catalogue, after: Catalogue): ModelChange[] {
  return [...after.values()].flatMap((model) => {
    const known = before.get(model.name);
    if (known === undefined || known === model) return [];
    return [
      { model: model.name, change: changeOf(known, model), reason: model.missing?.reason ?? '' },
    ];
  });
}

function changeOf(before: Model, after: Model): ModelChange['change'] {
  if (isDeepStrictEqual(before.missing, after.missing)) return 'changed';
  return after.missing === undefined ? 'back' : 'lost';
}
