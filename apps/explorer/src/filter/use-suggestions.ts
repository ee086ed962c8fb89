import type { AttributeEntry, Filter, ModelEntry } from '@proj/client';
import { useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';

import { readFacets } from '../api/facets.ts';
import { textOf } from '../values/cell-text.ts';

/** A value that an attribute has, and how often. */
export interface Suggestion {
  readonly text: string;
  readonly count: bigint;
}

/** Finds the most frequent values that contain a text. */
export interface Suggest {
  /** Equal for equal questions. */
  readonly key: readonly string[];
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly Suggestion[]>;
}

const MOST_SUGGESTIONS = 12;
/** Between two keys of somebody who types. */
const PAUSE_MS = 250;

/** What finds values of an attribute; `null` where the service does not count them. */
export function suggestValues(model: ModelEntry, attribute: AttributeEntry): Suggest | null {
  const { name, type, facets = [], operators } = attribute;
  if (type !== 'text' && type !== 'enum') return null;
  if (!facets.includes('values')) return null;
  const find: Suggest['find'] = async (text, signal) => {
    const canSearch = text !== '' && operators.includes('icontains');
    const filter: Filter = { attribute: name, op: 'icontains', value: text };
    const query = { model: model.name, facets: [{ attribute: name, values: MOST_SUGGESTIONS }] };
    const reading = await readFacets({ ...query, ...(canSearch && { filter }) }, signal);
    const values = reading.facets[0]?.values ?? [];
    return values.map(({ value, count }) => ({ text: textOf(value), count }));
  };
  return { key: [model.name, name], find };
}

/** The values that fit what was typed, once there is a pause; none where that fails. */
export function useSuggestions(suggest: Suggest | null, typed: string): readonly Suggestion[] {
  const [text, setText] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setText(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const { data } = useQuery({
    queryKey: ['suggestions', suggest?.key, text],
    enabled: suggest !== null,
    retry: false,
    staleTime: 60_000,
    queryFn: async ({ signal }) => suggest?.find(text, signal) ?? [],
  });
  return suggest === null ? [] : (data ?? []);
}
