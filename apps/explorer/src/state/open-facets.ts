import type { AttributeEntry, ModelEntry } from '@proj/client';

import { browserStore, isRecord, ownOf } from './browser-store.ts';

/** One request has at most so many facets. */
const MOST_OPEN = 20;

const opened = browserStore<Readonly<Record<string, readonly string[]>>>('facets', {}, (parsed) =>
  isRecord(parsed) ? Object.fromEntries(Object.entries(parsed).map(readNames)) : undefined,
);

/** Whether the reader wants facets beside the tables. */
export const showsFacets = browserStore('shows-facets', false, (parsed) => parsed === true);

/** Types of few values, the fewest first. */
const FEW = ['boolean', 'enum'];

/**
 * The attributes of a model, those first that have few values: truths, labels, and what refers to
 * other models. The key is last, since it has as many values as there are records.
 */
export function fewestFirst(model: ModelEntry): readonly AttributeEntry[] {
  const places = new Map(model.attributes.map((entry) => [entry, placeOf(entry, model)]));
  return model.attributes.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
}

function placeOf({ name, type }: AttributeEntry, { key, references = [] }: ModelEntry): number {
  if (FEW.includes(type)) return FEW.indexOf(type);
  if (references.some(({ attributes }) => attributes.includes(name))) return FEW.length;
  return FEW.length + (key.length === 1 && key.includes(name) ? 2 : 1);
}

/**
 * The facets of a model that the reader looks at; until one is opened or closed those of attributes
 * that have few values.
 */
export function openFacets(model: ModelEntry): readonly string[] {
  const usual = fewestFirst(model).filter((entry) => placeOf(entry, model) <= FEW.length);
  return ownOf(opened.value, model.name) ?? usual.slice(0, 3).map(({ name }) => name);
}

/** Opens a facet, in place of the first one where there are too many, or closes it. */
export function toggleFacet(model: ModelEntry, attribute: string): void {
  const names = openFacets(model);
  const next = names.includes(attribute)
    ? names.filter((name) => name !== attribute)
    : [...names, attribute].slice(-MOST_OPEN);
  opened.value = { ...opened.value, [model.name]: next };
}

function readNames([model, names]: readonly [string, unknown]): [string, readonly string[]] {
  return [model, Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []];
}
