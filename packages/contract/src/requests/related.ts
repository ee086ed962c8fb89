import * as z from 'zod/mini';

import { aggregateOps, AGGREGATES } from '../aggregates.ts';
import { type Filter, type FilterReading, RELATION_LIMITS } from '../filter.ts';
import { jsonPointer } from '../pointer.ts';
import type { RequestError } from '../problems.ts';
import { readFilter } from '../read-filter.ts';
import { memberNameSchema } from './member-name.ts';
import { withCode } from './request-errors.ts';

/** A count or an aggregate of the records that refer to each record. */
export const relatedRequestSchema = z.strictObject({
  /** Names an attribute of the request. */
  name: memberNameSchema('invalid_related'),
  /** An `inverse` of the catalogue. */
  related: z.string(),
  op: z.enum(aggregateOps()),
  /** Of the related model. Only `count` may do without. */
  attribute: z.optional(z.string()),
  /** Which related records to look at. Default: all. */
  filter: z.optional(z.unknown()),
});

export interface RelatedRequest extends Omit<z.infer<typeof relatedRequestSchema>, 'filter'> {
  readonly filter?: Filter | undefined;
}

export const relatedSchema = z.pipe(
  z.array(relatedRequestSchema).check(
    withCode(z.maxLength(RELATION_LIMITS.aggregates), 'too_many_relations'),
    // Runs beside errors of members, so that a caller learns of all at once.
    z.check<unknown[]>(
      ({ value, issues }) => {
        for (const [index, one] of value.slice(0, RELATION_LIMITS.aggregates).entries())
          for (const error of filterOf(one, index).errors)
            issues.push({ code: 'custom', input: one, params: { error } });
      },
      { when: ({ value }) => Array.isArray(value) },
    ),
  ),
  z.transform((all): RelatedRequest[] =>
    all.map((one, index) => {
      const { filter: _, ...rest } = one;
      const { filter } = filterOf(one, index);
      return filter === undefined ? rest : { ...rest, filter };
    }),
  ),
);

/** The errors of well-formed members that do not go together. */
export function relatedErrors({
  query_related: all = [],
}: {
  readonly query_related?: readonly RelatedRequest[] | undefined;
}): RequestError[] {
  return all.flatMap(({ name, op, attribute }, index): RequestError[] => {
    const isRepeated = all.slice(0, index).some((other) => other.name === name);
    const pointer = jsonPointer(['query_related', index]);
    const place = `${pointer}/name`;
    const detail = `${pointer}: ${op} needs an "attribute".`;
    return [
      ...(isRepeated
        ? [
            {
              pointer: place,
              code: 'duplicate_attribute' as const,
              detail: `${place} is named a second time.`,
            },
          ]
        : []),
      ...(AGGREGATES[op].attribute === 'required' && attribute === undefined
        ? [{ pointer, code: 'invalid_related' as const, detail }]
        : []),
    ];
  });
}

/** It is inside a relation already. */
function filterOf(one: unknown, index: number): FilterReading {
  if (typeof one !== 'object' || one === null || !('filter' in one) || one.filter === undefined)
    return { filter: undefined, errors: [] };
  return readFilter(one.filter, ['query_related', index, 'filter'], 1);
}
