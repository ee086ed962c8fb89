import { printFilter, type TypeOf } from '@proj/contract';

import type { ViewQuery } from '../state/view/view-query.ts';
import type { SortTerm } from '../state/view-state.ts';
import { shellQuote } from './shell-quote.ts';

/** The `dq` command that prints the page of a view. */
export function asDq(query: ViewQuery, typeOf: TypeOf): string {
  const { model, attributes, page, size, filter, sort } = query;
  const words = ['dq query', shellQuote(model)];
  if (namesFitFlag(attributes)) words.push(`-a ${shellQuote(attributes.join(','))}`);
  if (filter) words.push(`--filter ${shellQuote(printFilter(filter, typeOf))}`);
  if (sort) words.push(`--sort ${shellQuote(sort.map(sortWord).join(','))}`);
  return [...words, `--page ${page}`, `--size ${size}`].join(' ');
}

/** A name with a comma cannot be in the list; then all attributes are printed. */
function namesFitFlag(names: readonly string[]): boolean {
  return names.every((name) => !name.includes(',') && name.trim() === name);
}

function sortWord({ attribute, direction, nulls }: SortTerm): string {
  const word = direction === 'desc' ? `-${attribute}` : attribute;
  return nulls === undefined ? word : `${word}:nulls-${nulls}`;
}
