import { isDeepStrictEqual } from 'node:util';
import { nameTexts } from '@proj/contract';

import type { BuiltCatalogue } from './build/build.ts';
import type { Attribute, Catalogue, Missing, Model, ToOne } from './model.ts';

/**
 * The models that are served, as the database has them now. Nothing is added: a schema that changes
 * while the service runs must not show anything new before the operator says so. Nothing is taken
 * away either: what is missing is marked as {@link Model.missing}, so that it is served again as
 * soon as it is back. A model that did not change is the same object.
 *
 * @param served the catalogue of the last load or reload, or what this function made of it
 * @param found what the settings of that load give now
 */
export function refreshCatalogue(served: Catalogue, found: BuiltCatalogue): Catalogue {
  return new Map([...served].map(([name, model]) => [name, refreshModel(model, found)]));
}

function refreshModel(known: Model, { catalogue, reports }: BuiltCatalogue): Model {
  const found = catalogue.get(known.name);
  const reason = reports
    .flatMap(({ model, problem }) => (model === known.name ? problem : []))
    .join(' ');
  const fresh: Model =
    found === undefined
      ? { ...known, missing: missingModel(known, reason) }
      : merge(known, found, reason);
  return isDeepStrictEqual(fresh, known) ? known : Object.freeze(fresh);
}

/**
 * The model as it was found, with the attributes that are known: those whose columns are missing as
 * they were before.
 */
function merge(known: Model, found: Model, reason: string): Model {
  const lost = [...known.attributes.values()].filter(({ name }) => !found.attributes.has(name));
  const attributes = [...known.attributes.values()].map((attribute): [string, Attribute] => [
    attribute.name,
    found.attributes.get(attribute.name) ?? attribute,
  ]);
  return {
    ...found,
    attributes: new Map(attributes),
    relations: knownRelations(known, found),
    missing: lost.length === 0 ? undefined : missingOf(lost, reason),
  };
}

/** None is added and none is taken away, as with models and attributes. */
function knownRelations(known: Model, found: Model): Model['relations'] {
  const relations = [...known.relations].map(([name, relation]): [string, ToOne] => [
    name,
    found.relations.get(name) ?? { ...relation, isMissing: true },
  ]);
  return new Map(relations);
}

/** Where the settings expose everything, nothing is reported of what they do not name. */
function missingModel({ path }: Model, reason: string): Missing {
  return {
    columns: 'all',
    reason: reason || `The database has no table or view named "${path.at(-1)}".`,
  };
}

function missingOf(lost: readonly Attribute[], reason: string): Missing {
  const columns = lost.map(({ column }) => column);
  return {
    columns: new Set(columns),
    reason: reason || `It has no column named ${nameTexts(columns)}.`,
  };
}

/** What a refresh found of one model. */
export interface ModelChange {
  readonly model: string;
  /**
   * `lost`: it, or a part of it, is missing; `back`: all of it is there again; `changed`: its
   * types, its key or its column are others.
   */
  readonly change: 'lost' | 'back' | 'changed';
  /** What is missing; empty where nothing is. */
  readonly reason: string;
}

/** What differs between a catalogue and what became of it by {@link refreshCatalogue}. */
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
