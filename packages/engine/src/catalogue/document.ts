import { hash } from 'node:crypto';

import {
  type AttributeEntry,
  type CatalogueDocument,
  facetsOf,
  type ModelEntry,
  operatorsOf,
  SORTABLE_TYPES,
} from '@proj/contract';

import { type Grant, visibleModels } from './grant.ts';
import { comparedKey, missingKeyReason } from './keys.ts';
import { referenceEntries, VisibleTargets } from './references.ts';
import type { Attribute, Catalogue, Model } from './model.ts';
import type { DeprecationSettings } from './model-settings.ts';

export function catalogueDocument(catalogue: Catalogue, grant: Grant): CatalogueDocument {
  const models = visibleModels(catalogue, grant);
  const targets = new VisibleTargets(models);
  const entries = models.map((model) => modelEntry(model, targets));
  return { models: entries, time_zones: process.versions.tz };
}

export function catalogueEntry(
  catalogue: Catalogue,
  grant: Grant,
  name: string,
): ModelEntry | undefined {
  const models = visibleModels(catalogue, grant);
  const model = models.find((one) => one.name === name);
  return model && modelEntry(model, new VisibleTargets(models));
}

function modelEntry(model: Model, targets: VisibleTargets): ModelEntry {
  const attributes = [...model.attributes.values()];
  const nameOf = new Map(attributes.map((attribute) => [attribute.column, attribute.name]));
  const references = referenceEntries(model, targets);
  const noKey = missingKeyReason(model);
  return {
    name: model.name,
    description: model.description,
    attributes: attributes.map(attributeEntry),
    // A partial key, or one with values that compare as equal, would merge records.
    key: noKey ? [] : model.key.flatMap(({ column }) => nameOf.get(column) ?? []),
    ...(noKey && { no_key: noKey }),
    ...(model.label !== undefined && model.attributes.has(model.label) && { label: model.label }),
    default_sort: [...model.defaultOrder, ...comparedKey(model)].flatMap(
      ({ column, direction, nulls }) => {
        const attribute = nameOf.get(column);
        return attribute === undefined ? [] : [{ attribute, direction, nulls }];
      },
    ),
    max_page_size: model.maxPageSize,
    ...((model.distributed ?? model.cut) !== undefined && { distributed: true as const }),
    ...(references.length > 0 && { references }),
    ...deprecation(model.deprecated),
  };
}

function attributeEntry(attribute: Attribute): AttributeEntry {
  const { name, type, items, nullable, extremes, description, deprecated } = attribute;
  const operators = operatorsOf(type);
  const isFloat = type === 'float64';
  const special = [
    ...(isFloat && extremes.includes('not_a_number') ? ['NaN'] : []),
    ...(isFloat && extremes.includes('infinity') ? ['Infinity', '-Infinity'] : []),
  ];
  const misfits = misfitsOf(extremes);
  return {
    name,
    type,
    ...(items && { items }),
    nullable,
    ...(special.length > 0 && { special_values: special }),
    ...(misfits !== undefined && { misfits }),
    description,
    operators,
    sortable: SORTABLE_TYPES.has(type),
    facets: [...facetsOf(type, items)],
    ...deprecation(deprecated),
  };
}

function misfitsOf(extremes: Attribute['extremes']): string | undefined {
  if (extremes.includes('texts')) return 'any';
  return extremes.includes('numbers') ? 'numbers' : undefined;
}

function deprecation(deprecated: DeprecationSettings | null): Pick<ModelEntry, 'deprecated'> {
  if (deprecated === null) return {};
  const { since, sunset = null, note = null } = deprecated;
  return { deprecated: { since, sunset, note } };
}

const known = new WeakMap<Catalogue, Map<string, string>>();

/**
 * 27 characters of base64url, equal only for equal models. Computed once for all grants of a shape:
 * thousands of models take a tenth of a second.
 */
export function catalogueTag(catalogue: Catalogue, grant: Grant): string {
  let tags = known.get(catalogue);
  if (tags === undefined) known.set(catalogue, (tags = new Map()));
  let tag = tags.get(grant.shape);
  if (tag === undefined) {
    const { models } = catalogueDocument(catalogue, grant);
    tag = hash('sha1', JSON.stringify({ models }), 'base64url');
    tags.set(grant.shape, tag);
  }
  return tag;
}
