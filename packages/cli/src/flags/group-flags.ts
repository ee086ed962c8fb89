import type { AttributeEntry } from '@proj/client';
import {
  type AggregateOp,
  aggregatesOf,
  attributeAt,
  DATE_UNITS,
  type DateUnit,
  groupName,
  type GroupRequest,
  type LinkedModel,
  nameText,
  nameTexts,
  operatorsOf,
  SORTABLE_TYPES,
  unitsOf,
  type WireType,
} from '@proj/contract';

import { UnknownAttributeError, UsageError } from '../failure.ts';

/** Flags that say what groups are made of. */
export interface GroupFlags {
  readonly by: string;
  readonly count?: boolean;
  readonly countDistinct?: string;
  readonly sum?: string;
  readonly average?: string;
  readonly min?: string;
  readonly max?: string;
}

/** The aggregates of attributes, by their flags. */
const FLAGS = {
  countDistinct: { op: 'count_distinct', flag: '--count-distinct', prefix: 'distinct' },
  sum: { op: 'sum', flag: '--sum', prefix: 'sum' },
  average: { op: 'average', flag: '--average', prefix: 'average' },
  min: { op: 'min', flag: '--min', prefix: 'min' },
  max: { op: 'max', flag: '--max', prefix: 'max' },
} as const satisfies Record<
  string,
  { readonly op: AggregateOp; readonly flag: string; readonly prefix: string }
>;

/** The groups that flags ask for, and the model whose attributes are the members of a group. */
export interface AskedGroups {
  readonly by: readonly (string | GroupRequest)[];
  readonly aggregates: Readonly<Record<string, { op: AggregateOp; attribute?: string }>>;
  readonly shown: LinkedModel;
}

/**
 * Reads `--by country.name,placed_at:month --sum amount`. An aggregate is named by its flag and its
 * attribute: `sum_amount`. Without any, records are counted.
 *
 * @throws {UsageError} when the model has no such attribute, or it cannot be grouped by.
 */
export function readGroups(flags: GroupFlags, model: LinkedModel): AskedGroups {
  const groups = flags.by.split(',').map((text) => readTerm(text.trim(), model));
  const asked = Object.entries(FLAGS).flatMap(([name, { op, flag, prefix }]) =>
    (flags[name as keyof typeof FLAGS]?.split(',') ?? []).map((text) => {
      const attribute = entryAt(text.trim(), flag, model);
      checkAggregate(op, flag, attribute);
      const member = `${prefix}_${attribute.name}`.replaceAll(/[^\p{L}\p{N}_]/gu, '_').slice(0, 63);
      return { member, op, attribute };
    }),
  );
  const isCounted = flags.count === true || asked.length === 0;
  const aggregates = [
    ...(isCounted ? [['count', { op: 'count' }] as const] : []),
    ...asked.map(
      ({ member, op, attribute }) => [member, { op, attribute: attribute.name }] as const,
    ),
  ];
  const attributes = [
    ...groups.map(({ entry }) => entry),
    ...(isCounted ? [entryOf('count', 'int64')] : []),
    ...asked.map(({ member, op, attribute }) => shownAggregate(member, op, attribute)),
  ];
  const { references: _, others: __, ...own } = model;
  return {
    by: groups.map(({ term }) => term),
    aggregates: Object.fromEntries(aggregates),
    shown: { ...own, attributes },
  };
}

interface Term {
  readonly term: string | GroupRequest;
  readonly entry: AttributeEntry;
}

/** A name may have colons itself. */
function readTerm(text: string, model: LinkedModel): Term {
  const whole = attributeAt(text, model);
  if (whole !== undefined) return { term: text, entry: whole };
  const [, name = text, unit] = /^(.+):([a-z]+)$/.exec(text) ?? [];
  const entry = entryAt(name, '--by', model);
  const units = unitsOf(entry.type as WireType);
  const by = DATE_UNITS.find((one) => one === unit);
  if (by === undefined || !units.includes(by)) throw unknownUnit(text, unit, { entry, units });
  const term = { attribute: name, by };
  return { term, entry: entryOf(groupName(term), by === 'hour' ? entry.type : 'date') };
}

function unknownUnit(
  text: string,
  unit: string | undefined,
  { entry, units }: { readonly entry: AttributeEntry; readonly units: readonly DateUnit[] },
): UsageError {
  const { name, type } = entry;
  return new UsageError(
    units.length === 0
      ? `--by ${text}: ${nameText(name)} is of type ${type}, which has no "${unit}". Group by ` +
          `${nameText(name)}.`
      : `--by ${text}: "${unit}" is none of ${units.join(', ')}.`,
  );
}

function entryAt(name: string, flag: string, model: LinkedModel): AttributeEntry {
  const entry = attributeAt(name, model);
  if (entry !== undefined) return entry;
  const known = nameTexts(model.attributes.map((one) => one.name));
  throw new UnknownAttributeError(
    name,
    `${flag}: ${nameText(model.name)} has no attribute "${name}". It has ${known}.`,
  );
}

function checkAggregate(
  op: AggregateOp,
  flag: string,
  { name, type, items }: AttributeEntry,
): void {
  if (aggregatesOf(type as WireType, items as WireType | undefined).includes(op)) return;
  throw new UsageError(`${flag}: ${nameText(name)} is of type ${type}, which has no ${op}.`);
}

function shownAggregate(name: string, op: AggregateOp, { type }: AttributeEntry): AttributeEntry {
  if (op === 'count_distinct') return entryOf(name, 'int64');
  return entryOf(name, op === 'min' || op === 'max' ? type : 'decimal');
}

function entryOf(name: string, type: string): AttributeEntry {
  const wireType = type as WireType;
  return {
    name,
    type,
    nullable: true,
    description: null,
    operators: operatorsOf(wireType),
    sortable: SORTABLE_TYPES.has(wireType),
  };
}
