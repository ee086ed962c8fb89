import type { Sort } from '@proj/client';
import {
  attributeAt,
  compileRelated,
  type LinkedModel,
  nameText,
  noAttributeText,
  type RequestedRelated,
} from '@proj/contract';

import { UnknownAttributeError, UsageError } from '../failure.ts';
import { readAt } from '../filter-expression/filter-flags.ts';
import { type Endings, printNames, readTerm, splitTerms } from '../terms.ts';

const NULLS: Endings = { pattern: /:nulls-(?:first|last)$/, expected: 'a comma or :nulls-first' };

/** Reads `-population,name:nulls-first`. @throws {UsageError} when a term is empty */
export function readSort(text: string): Sort[] {
  return splitTerms(text).map((term) => {
    const minus = term.startsWith('-') ? '-' : '';
    const { name: attribute, ending } = readTerm(term.slice(minus.length), '--sort', NULLS);
    if (attribute === '' || (attribute.startsWith(':') && !term.includes('`'))) {
      throw new UsageError(
        `--sort: expected attributes such as -population,name:nulls-first; got "${text}".`,
      );
    }
    const direction = minus === '-' ? 'desc' : 'asc';
    if (ending === '') return { attribute, direction };
    return { attribute, direction, nulls: ending === ':nulls-first' ? 'first' : 'last' };
  });
}

const FORM = 'A sort is written as in --sort -population,name:nulls-first (minus: largest first).';

/** @throws {UsageError} when the model has no such attribute, or cannot sort by it */
export function checkSort(
  sort: readonly Sort[] | undefined,
  model: LinkedModel,
): readonly Sort[] | undefined {
  for (const { attribute } of sort ?? []) {
    const entry = attributeAt(attribute, model);
    if (entry === undefined)
      throw new UnknownAttributeError(
        attribute,
        `--sort: ${noAttributeText(attribute, model, FORM)}`,
      );
    if (!entry.sortable) {
      const sortable = model.attributes.filter((one) => one.sortable);
      throw new UsageError(
        `--sort: ${nameText(attribute)} is of type ${entry.type}, which has no order. Sort by ` +
          `${printNames(sortable.map((one) => one.name))}.`,
      );
    }
  }
  return sort;
}

/** @throws {UsageError} when a text cannot be read, or two have one name */
export function readRelated(
  texts: readonly string[] | undefined,
  model: LinkedModel,
): RequestedRelated | undefined {
  const terms = texts?.map((text) => readAt('--related', text, () => compileRelated(text, model)));
  const names = terms?.map(([name]) => name);
  const repeated = names?.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new UsageError(`--related: "${repeated}" is named twice.`);
  return terms && Object.fromEntries(terms);
}
