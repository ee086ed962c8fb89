import type { AttributeEntry, FacetQuery } from '@proj/client';
import {
  attributeAt,
  type LinkedModel,
  nameText,
  noAttributeText,
  printName,
  shellWord,
} from '@proj/contract';

import { UnknownAttributeError, UsageError } from '../failure.ts';
import { filterAt } from '../filter-expression/filter-flags.ts';
import { endOfName, readTerm } from '../terms.ts';

/** As many values or bins as fit on a screen. */
const DEFAULT_COUNT = 20;

const KINDS = ['values', 'bins'] as const;

const ENDINGS = {
  pattern: /:(?:values(?:=\d+)?|bins(?:=\d+)?(?:@[A-Za-z][\w/+-]*)?)$/,
  expected: ':values=20, :bins=20 or a blank and "where"',
};

const WHERE = ' where ';

/**
 * Reads `attribute`, `attribute:values=20`, `attribute:bins=20@Europe/Paris` or
 * `attribute:bins=20 where population >= 1000`. A name may have colons itself.
 *
 * @throws {UsageError} when it is none of them, or the model has no such attribute.
 */
export function readFacetArgument(text: string, model: LinkedModel): FacetQuery {
  if (/ where\s*$/.test(text))
    throw new UsageError(
      `${text.trim()}: expected a condition after "where", such as "where population >= 1000000".`,
    );
  const where = text.indexOf(WHERE, endOfName(text, 0));
  if (where === -1) return readFacet(text, model);
  const facet = text.slice(0, where);
  const condition = text.slice(where + WHERE.length);
  return { ...readFacet(facet, model), filter: filterAt(facet, condition, model) };
}

function readFacet(text: string, model: LinkedModel): FacetQuery {
  const { name, ending } = readTerm(text, text, ENDINGS);
  const [, kind = 'values', digits, zone] = /^:(\w+)(?:=(\d+))?(?:@(.+))?$/.exec(ending) ?? [];
  const attribute = attributeAt(name, model);
  if (attribute === undefined) throw unknownFacet(name, text, model);
  checkKind(kind === 'bins' ? 'bins' : 'values', attribute);
  const count = digits === undefined ? DEFAULT_COUNT : Number(digits);
  if (count < 1 || count > 1000) {
    const example = shellWord(`${printName(name)}:${kind}=20`);
    throw new UsageError(`${text}: expected from 1 to 1000 ${kind}. Example: ${example}`);
  }
  if (kind !== 'bins') return { attribute: name, values: count };
  return { attribute: name, bins: count, ...(zone !== undefined && { time_zone: zone }) };
}

function unknownFacet(asked: string, text: string, model: LinkedModel): UsageError {
  const known = model.attributes.map((attribute) => attribute.name);
  const [, summed = ''] = /^(.+):(?:sum|average|avg)$/.exec(text) ?? [];
  if (known.includes(summed))
    return new UsageError(
      `${text}: ${shellWord(`${printName(summed)}:bins`)} brings the sum and the average.`,
    );
  const [, named = '', kind = '', count = '=20'] = /^(.+):([a-z]+)(=\d+)?$/.exec(text) ?? [];
  if (known.includes(named)) {
    const meant = KINDS.find((one) => one.startsWith(kind)) ?? KINDS[0];
    const facet = shellWord(`${printName(named)}:${meant}${count}`);
    return new UsageError(
      `${text}: "${kind}" is none of ${KINDS.join(', ')}. Did you mean ${facet}?`,
    );
  }
  const parts = text.split(',').map((part) => part.replace(/:.*/, '').trim());
  const words = text.split(',').map((part) => shellWord(part.trim()));
  if (parts.length > 1 && parts.every((part) => known.includes(part)))
    return new UsageError(`${text}: separate facets by blanks: ${words.join(' ')}`);
  return new UnknownAttributeError(asked, noAttributeText(asked, model));
}

/** A service that lists no facets of its attributes decides itself. */
function checkKind(kind: 'values' | 'bins', { name, type, facets }: AttributeEntry): void {
  if (facets === undefined || facets.includes(kind)) return;
  throw new UsageError(
    facets.includes('values')
      ? `${nameText(name)} is of type ${type}, which has no bins. Count its values: ` +
          shellWord(`${printName(name)}:values=20`)
      : `${nameText(name)} is of type ${type}, which has no facets.`,
  );
}
