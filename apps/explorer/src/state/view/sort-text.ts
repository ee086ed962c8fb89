import { escapeWith, splitEscaped, unescape } from '../filter/separated-list.ts';
import type { SortTerm } from '../view-state.ts';

/** An order as `dq --sort` takes it: `-population,name:nulls-first`. */
export function sortToText(sort: readonly SortTerm[]): string {
  return sort.map(termToText).join(',');
}

function termToText({ attribute, direction, nulls }: SortTerm): string {
  const escaped = escapeWith(attribute, ',').replaceAll(':', String.raw`\:`);
  const name = nulls === undefined ? escaped : `${escaped}:nulls-${nulls}`;
  if (direction === 'desc') return `-${name}`;
  return name.startsWith('-') ? `\\${name}` : name;
}

/** Reads what {@link sortToText} wrote; undefined where a name is missing. */
export function sortFromText(text: string): readonly SortTerm[] | undefined {
  const terms = splitEscaped(text, ',').map(termFromText);
  return terms.some(({ attribute }) => attribute === '') ? undefined : terms;
}

function termFromText(text: string): SortTerm {
  const direction = text.startsWith('-') ? 'desc' : 'asc';
  const parts = splitEscaped(direction === 'desc' ? text.slice(1) : text, ':');
  const nulls = parts.length > 1 ? NULLS[parts.at(-1) ?? ''] : undefined;
  const attribute = unescape((nulls === undefined ? parts : parts.slice(0, -1)).join(':'));
  return { attribute, direction, ...(nulls && { nulls }) };
}

const NULLS: Readonly<Partial<Record<string, 'first' | 'last'>>> = {
  'nulls-first': 'first',
  'nulls-last': 'last',
};
