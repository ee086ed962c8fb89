import type { AttributeEntry, Filter, ModelEntry } from '@proj/client';
import { useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';

import { readFacets } from '../api/facets.ts';
import { operandText } from '../state/filter/operand-value.ts';
import { requestedRelated } from '../state/view/view-query.ts';
import { view } from '../state/view/view-store.ts';
import { textOf } from '../values/cell-text.ts';

/** A value that an attribute has, and how often. */
export interface Suggestion {
  readonly text: string;
  readonly count: bigint;
}

/** Finds the most frequent values. */
export interface Suggest {
  /** Equal for equal questions. */
  readonly key: readonly string[];
  /** Whether it finds those that contain a text; otherwise they do not depend on it. */
  readonly isSearch: boolean;
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly Suggestion[]>;
}

const MOST_SUGGESTIONS = 12;
/** Values that cannot be searched are suggested where all of them can be seen at once. */
const MOST_LISTED = 30;
const SEARCHED: ReadonlySet<string> = new Set(['text', 'enum']);
const LISTED: ReadonlySet<string> = new Set(['int32', 'int64', 'date', 'any']);
/** Between two keys of somebody who types. */
const PAUSE_MS = 300;

/** What finds values of an attribute; `null` where the service does not count them. */
export function suggestValues(model: ModelEntry, attribute: AttributeEntry): Suggest | null {
  const { name, type, facets = [], operators } = attribute;
  if (!facets.includes('values')) return null;
  if (LISTED.has(type)) return listValues(model, attribute);
  if (!SEARCHED.has(type)) return null;
  const find: Suggest['find'] = async (text, signal) => {
    const canSearch = text !== '' && operators.includes('icontains');
    const filter: Filter = { attribute: name, op: 'icontains', value: text };
    const asked = [{ attribute: name, values: MOST_SUGGESTIONS }];
    const query = { model: model.name, facets: asked, ...countedOf(model) };
    const reading = await readFacets({ ...query, ...(canSearch && { filter }) }, signal);
    const values = reading.facets[0]?.values ?? [];
    return values.map(({ value, count }) => ({ text: textOf(value), count }));
  };
  return { key: [model.name, name], isSearch: true, find };
}

/** All values of an attribute where they are few; none of a key, which has one for each record. */
function listValues(model: ModelEntry, { name: attribute, type }: AttributeEntry): Suggest | null {
  const { name, key } = model;
  if (key.length === 1 && key[0] === attribute) return null;
  const find: Suggest['find'] = async (_, signal) => {
    const facets = [{ attribute, values: MOST_LISTED }];
    const query = { model: name, facets, ...countedOf(model) };
    const { values = [], distinct = 0n } = (await readFacets(query, signal)).facets[0] ?? {};
    if (distinct > MOST_LISTED) return [];
    return values.map(({ value, count }) => ({ text: operandText(type, value), count }));
  };
  return { key: [name, attribute], isSearch: false, find };
}

/** Records that are counted have conditions too, and nothing is counted of theirs. */
function countedOf(model: ModelEntry) {
  return view.value.model === model.name ? requestedRelated(view.value, model) : {};
}

/**
 * The values that fit what was typed, read after a pause in typing. None while they are read, and
 * where that fails.
 */
export function useSuggestions(suggest: Suggest | null, typed: string): readonly Suggestion[] {
  const [text, setText] = useState<string | null>(null);
  const isEntered = suggest !== null;
  useEffect(() => {
    const timer = setTimeout(() => setText(isEntered ? typed : null), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, isEntered]);
  const isSearch = suggest?.isSearch === true;
  const asked = isSearch && text !== null ? text : '';
  const { data } = useQuery({
    queryKey: ['suggestions', suggest?.key, asked],
    enabled: isEntered && text !== null && (isSearch || text === ''),
    retry: false,
    staleTime: 60_000,
    queryFn: async ({ signal }) => suggest?.find(asked, signal) ?? [],
  });
  return suggest === null ? [] : (data ?? []);
}
