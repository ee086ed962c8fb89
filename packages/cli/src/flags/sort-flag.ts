import type { Sort } from '@proj/client';
import { attributeAt, type LinkedModel, nameText, nameTexts } from '@proj/contract';

import { UnknownAttributeError, UsageError } from '../failure.ts';

const TERM = /^(-?)(.+?)(?::nulls-(first|last))?$/u;

/**
 * Reads `-population,name:nulls-first`: a minus for the largest first, and where NULL goes.
 *
 * @throws {UsageError} when a term is empty.
 */
export function readSort(text: string): Sort[] {
  return text.split(',').map((term) => {
    const [, minus, attribute, nulls] = TERM.exec(term.trim()) ?? [];
    if (attribute === undefined || attribute.startsWith(':')) {
      throw new UsageError(
        `--sort: expected attributes such as -population,name:nulls-first; got "${text}".`,
      );
    }
    const direction = minus === '-' ? 'desc' : 'asc';
    return nulls === 'first' || nulls === 'last'
      ? { attribute, direction, nulls }
      : { attribute, direction };
  });
}

const FORM = 'A sort is written as in --sort -population,name:nulls-first (minus: largest first).';

/**
 * Holds a sort against the model.
 *
 * @returns the same sort
 * @throws {UsageError} when the model has no such attribute, or cannot sort by it.
 */
export function checkSort(
  sort: readonly Sort[] | undefined,
  model: LinkedModel,
): readonly Sort[] | undefined {
  const { name, attributes } = model;
  for (const { attribute } of sort ?? []) {
    const entry = attributeAt(attribute, model);
    if (entry === undefined)
      throw new UnknownAttributeError(
        attribute,
        `--sort: ${nameText(name)} has no attribute "${attribute}". ${FORM}`,
      );
    if (!entry.sortable) {
      const sortable = attributes.filter((one) => one.sortable);
      throw new UsageError(
        `--sort: ${nameText(attribute)} is of type ${entry.type}, which has no order. Sort by ` +
          `${nameTexts(sortable.map((one) => one.name))}.`,
      );
    }
  }
  return sort;
}
