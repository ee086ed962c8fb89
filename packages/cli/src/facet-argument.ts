import type { FacetQuery, ModelEntry } from '@proj/client';

import { UnknownAttributeError, UsageError } from './failure.ts';
import { filterAt } from './filter-expression/filter-flags.ts';

/** As many values or bins as a screen has room for. */
const DEFAULT_COUNT = 20;

/** What separates a facet from its filter. */
const WHERE = ' where ';

/**
 * Reads `attribute`, `attribute:values=20` or `attribute:bins=20`. A name may have colons itself.
 * Each may end in a filter of its own, as in `attribute:bins=20 where population >= 1000`.
 *
 * @throws {UsageError} when it is none of them, or the model has no such attribute.
 */
export function readFacetArgument(text: string, model: ModelEntry): FacetQuery {
  const [facet = text, ...condition] = text.split(WHERE);
  const asked = readFacet(facet, model);
  if (condition.length === 0) return asked;
  return { ...asked, filter: filterAt(facet, condition.join(WHERE), model) };
}

function readFacet(text: string, model: ModelEntry): FacetQuery {
  const [, name = text, kind = 'values', digits] =
    /^(.+):(values|bins)(?:=(\d+))?$/.exec(text) ?? [];
  if (!model.attributes.some((attribute) => attribute.name === name)) {
    const known = model.attributes.map((attribute) => attribute.name).join(', ');
    throw new UnknownAttributeError(
      name,
      `${model.name} has no attribute "${name}". It has ${known}.`,
    );
  }
  const count = digits === undefined ? DEFAULT_COUNT : Number(digits);
  if (count < 1 || count > 1000)
    throw new UsageError(`${text}: expected from 1 to 1000 ${kind}. Example: ${name}:${kind}=20`);
  return kind === 'bins' ? { attribute: name, bins: count } : { attribute: name, values: count };
}
