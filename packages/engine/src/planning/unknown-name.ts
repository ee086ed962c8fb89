import { RELATION_LIMITS, type RequestError } from '@proj/contract';
import { closest, distance } from 'fastest-levenshtein';

import type { Model } from '../catalogue/model.ts';

/** Comparing more names would cost more than finding them. */
const MOST_CANDIDATES = 200;

/** The same for attributes that do not exist and hidden ones. */
export function unknownAttribute(name: string, model: Model, pointer: string): RequestError {
  const detail = `${quote(model.name)} has no attribute named ${quote(name)}.`;
  return {
    pointer,
    code: 'unknown_attribute',
    detail,
    ...suggestion(name, [...model.attributes.keys()]),
  };
}

export function tooFar(name: string, pointer: string): RequestError {
  const maximum = RELATION_LIMITS.steps;
  const detail = `${quote(name)} passes more than ${maximum} relations, the most that a path may.`;
  return { pointer, code: 'unknown_attribute', detail };
}

export function tooMany(pointer: string): RequestError {
  const maximum = RELATION_LIMITS.paths;
  const detail = `${pointer}: a request looks along at most ${maximum} different paths.`;
  return { pointer, code: 'too_many_relations', detail, maximum };
}

/** The same for missing relations to many and hidden ones. */
export function unknownRelated(
  name: string,
  names: { readonly model: Model; readonly inverses: string[]; hint(name: string): string },
  pointer: string,
): RequestError {
  const detail = `Nothing refers to ${quote(names.model.name)} by the name ${quote(name)}.`;
  return {
    pointer,
    code: 'unknown_attribute',
    detail: `${detail}${names.hint(name)}`,
    ...suggestion(name, names.inverses),
  };
}

/** @param behind the attributes of the visible record that the name leads to; none without one */
export function relationHint(name: string, behind: string[], inverses: string[]): string {
  const [example] = behind;
  const path = quote(`${name}.${example}`);
  if (example !== undefined)
    return ` It is a relation: name an attribute behind it, such as ${path}.`;
  const [first = ''] = name.split('.');
  if (!inverses.includes(first)) return '';
  return ` Many ${quote(first)} may refer to a record: filter by them with "related".`;
}

/** Among visible names: the name itself, or the prefix is missing, or few letters differ. */
export function suggestion(name: string, visible: string[]): { did_you_mean?: string } {
  if (visible.includes(name)) return { did_you_mean: name };
  if (visible.length === 0 || visible.length > MOST_CANDIDATES || name.length > 64) return {};
  const written = name.toLowerCase();
  const spellings = new Map(visible.map((spelling) => [spelling.toLowerCase(), spelling]));
  // `shop.orders` for `orders`, if no other model ends so.
  const prefixed = [...spellings.keys()].filter((spelling) => spelling.endsWith(`.${written}`));
  // `cities` for `city`, which differs in too many letters for a slip.
  const plurals = [`${written}s`, `${written}es`, written.replace(/y$/, 'ies')];
  const sure = prefixed.length === 1 ? prefixed[0] : plurals.find((form) => spellings.has(form));
  const near = sure ?? closest(written, [...spellings.keys()]);
  // `citys` for `cities`; in a short name two other letters make another name.
  const tolerance = name.length < 4 ? 1 : Math.max(2, Math.floor(name.length / 3));
  const did_you_mean = spellings.get(near);
  const isNear = sure !== undefined || distance(written, near) <= tolerance;
  return did_you_mean !== undefined && isNear ? { did_you_mean } : {};
}

export function quote(name: string): string {
  return JSON.stringify(name.length > 64 ? `${name.slice(0, 64)}…` : name);
}
