import {
  attributeAt,
  comparedType,
  groupAttributes,
  inversesOf,
  type LinkedModel,
  printFilter,
  printName,
  printRelated,
  type TypeOf,
} from '@proj/contract';

import { isOfGroups, type ViewGroupsQuery } from '../state/view/groups-query.ts';
import type { ViewQuery } from '../state/view/view-query.ts';
import type { SortTerm } from '../state/view-state.ts';
import { shellQuote } from './shell-quote.ts';

/** The `dq` command that prints the page of a view. */
export function asDq(query: ViewQuery, model: LinkedModel): string {
  const { page, size, filter, sort, related = {} } = query;
  const typeOf: TypeOf = (name, [inverse = '']) => {
    const entry = attributeAt(name, inversesOf(model).get(inverse) ?? model);
    return comparedType(entry ?? { type: 'other' });
  };
  const words = isOfGroups(query) ? groupWords(query, model) : recordWords(query);
  if (filter) words.push(`--filter ${shellQuote(printFilter(filter, typeOf))}`);
  for (const [name, term] of Object.entries(related)) {
    words.push(`--related ${shellQuote(printRelated(name, term, typeOf))}`);
  }
  if (sort) words.push(`--sort ${shellQuote(sort.map(sortWord).join(','))}`);
  return [...words, `--page ${page}`, `--size ${size}`].join(' ');
}

function recordWords({ model, attributes }: ViewQuery): string[] {
  return ['dq query', shellQuote(model), `-a ${shellQuote(attributes.map(printName).join(','))}`];
}

function groupWords({ model: name, groups }: ViewGroupsQuery, model: LinkedModel): string[] {
  const { by, aggregates, filter } = groups;
  const terms = by.map((term) => {
    if (typeof term === 'string') return printName(term);
    const unit = [term.by, term.time_zone ?? []].flat().join('@');
    return `${printName(term.attribute)}:${unit}`;
  });
  const computed = Map.groupBy(Object.values(aggregates), ({ op }) => op);
  const flags = [...computed].map(([op, all]) => {
    const names = all
      .flatMap(({ attribute = [] }) => attribute)
      .map(printName)
      .join(',');
    const flag = `--${op.replace('_', '-')}`;
    return names === '' ? flag : `${flag} ${shellQuote(names)}`;
  });
  const words = ['dq groups', shellQuote(name), `--by ${shellQuote(terms.join(','))}`, ...flags];
  if (filter === undefined) return words;
  const members = new Map(groupAttributes(groups, model).map((entry) => [entry.name, entry.type]));
  const having = printFilter(filter, (member) => members.get(member) ?? 'other');
  return [...words, `--having ${shellQuote(having)}`];
}

function sortWord({ attribute, direction, nulls }: SortTerm): string {
  const word = `${direction === 'desc' ? '-' : ''}${printName(attribute)}`;
  return nulls === undefined ? word : `${word}:nulls-${nulls}`;
}
