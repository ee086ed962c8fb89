import * as z from 'zod/mini';

import {
  aggregateOps,
  AGGREGATES,
  DATE_UNITS,
  GROUP_LIMITS,
  groupName,
  type GroupRequest,
} from '../aggregates.ts';
import { jsonPointer } from '../pointer.ts';
import type { RequestError } from '../problems.ts';
import { memberNameSchema } from './member-name.ts';
import { withCode } from './request-errors.ts';

/** A group attribute with more than its name. */
export const groupTermSchema = z.strictObject({
  attribute: z.string(),
  /** The unit that dates are cut to. Default: the dates. */
  by: z.optional(z.enum(DATE_UNITS)),
  /** Whose days and hours instants are cut to. Default: those of UTC. */
  time_zone: z.optional(z.string()),
});

/** An aggregate of each group. */
export const aggregateRequestSchema = z.strictObject({
  name: memberNameSchema('invalid_groups'),
  op: z.enum(aggregateOps()),
  /** Only `count` may do without. */
  attribute: z.optional(z.string()),
});

export type AggregateRequest = z.infer<typeof aggregateRequestSchema>;

/** A name alone is a group term. */
const groupSchema = z.pipe(
  z.transform((value: unknown) => (typeof value === 'string' ? { attribute: value } : value)),
  groupTermSchema,
);

export const groupsSchema = z
  .array(groupSchema)
  .check(
    withCode(z.minLength(1), 'invalid_groups'),
    withCode(z.maxLength(GROUP_LIMITS.groups), 'too_many_groups'),
  );

export const aggregatesSchema = z
  .array(aggregateRequestSchema)
  .check(withCode(z.maxLength(GROUP_LIMITS.aggregates), 'too_many_groups'));

interface GroupMembers {
  readonly query_groups?: readonly GroupRequest[] | undefined;
  readonly query_aggregates?: readonly AggregateRequest[] | undefined;
  readonly query_group_filter?: unknown;
  readonly page?: object | undefined;
}

/** The errors of well-formed members that do not go together. */
export function groupErrors(members: GroupMembers, isGrouped: boolean): RequestError[] {
  const { query_groups: groups = [], query_aggregates: aggregates = [], page } = members;
  const without = (['query_aggregates', 'query_group_filter'] as const).filter(
    (member) => !isGrouped && members[member] !== undefined,
  );
  const names = [
    ...groups.map((group, index) => ({ name: groupName(group), path: ['query_groups', index] })),
    ...aggregates.map(({ name }, index) => ({ name, path: ['query_aggregates', index, 'name'] })),
  ];
  return [
    ...without.map((member) => invalid([member], 'it needs "query_groups"')),
    ...(isGrouped && page !== undefined && 'containing' in page
      ? [invalid(['page', 'containing'], 'groups are asked for by the number of their page')]
      : []),
    ...names.flatMap(({ name, path }, index): RequestError[] => {
      const isRepeated = names.slice(0, index).some((other) => other.name === name);
      const pointer = jsonPointer(path);
      const detail = `${pointer} is named a second time.`;
      return isRepeated ? [{ pointer, code: 'duplicate_attribute', detail }] : [];
    }),
    ...aggregates.flatMap(({ op, attribute }, index) =>
      AGGREGATES[op].attribute === 'required' && attribute === undefined
        ? [invalid(['query_aggregates', index], `${op} needs an "attribute"`)]
        : [],
    ),
  ];
}

function invalid(path: readonly (string | number)[], problem: string): RequestError {
  const pointer = jsonPointer(path);
  return { pointer, code: 'invalid_groups', detail: `${pointer}: ${problem}.` };
}
