import type { ModelEntry } from '@proj/client';

import { browserStore, isRecord } from './browser-store.ts';

/** One request has at most so many facets. */
const MOST_OPEN = 20;

const opened = browserStore<Readonly<Record<string, readonly string[]>>>('facets', {}, (parsed) =>
  isRecord(parsed) ? Object.fromEntries(Object.entries(parsed).map(readNames)) : undefined,
);

/** Whether the reader wants facets beside the tables. */
export const showsFacets = browserStore('shows-facets', false, (parsed) => parsed === true);

/**
 * The facets of a model that the reader looks at; until one is opened or closed those of attributes
 * that refer to other models, and of truths and labels, since these have few values.
 */
export function openFacets({ name, attributes, references = [] }: ModelEntry): readonly string[] {
  const referring = references.flatMap((reference) => reference.attributes);
  const usual = attributes.filter(
    (entry) => ['boolean', 'enum'].includes(entry.type) || referring.includes(entry.name),
  );
  return opened.value[name] ?? usual.slice(0, 3).map((entry) => entry.name);
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
