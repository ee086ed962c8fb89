import type { AttributeEntry } from '@proj/client';
import {
  type AggregateOp,
  aggregatesOf,
  attributeAt,
  DATE_UNITS,
  type DateUnit,
  groupAttributes,
  type GroupRequest,
  type LinkedModel,
  nameAggregates,
  nameText,
  noAttributeText,
  printName,
  unitsOf,
  type WireType,
} from '@proj/contract';

import { UnknownAttributeError, UsageError } from '../failure.ts';
import { readNames, readTerm, splitTerms } from '../terms.ts';

export interface GroupFlags {
  readonly by: string;
  readonly count?: boolean;
  readonly countDistinct?: string;
  readonly sum?: string;
  readonly average?: string;
  readonly min?: string;
  readonly max?: string;
}

const FLAGS = {
  countDistinct: { op: 'count_distinct', flag: '--count-distinct' },
  sum: { op: 'sum', flag: '--sum' },
  average: { op: 'average', flag: '--average' },
  min: { op: 'min', flag: '--min' },
  max: { op: 'max', flag: '--max' },
} as const satisfies Record<string, { readonly op: AggregateOp; readonly flag: string }>;

/** With the model whose attributes are the members of a group. */
export interface AskedGroups {
  readonly by: readonly (string | GroupRequest)[];
  readonly aggregates: Readonly<Record<string, { op: AggregateOp; attribute?: string }>>;
  readonly shown: LinkedModel;
}

/**
 * Reads `--by country.name,placed_at:month --sum amount`; an aggregate is named `sum_amount`.
 * Without any, records are counted.
 *
 * @throws {UsageError} when the model has no such attribute, or cannot be grouped by it.
 */
export function readGroups(flags: GroupFlags, model: LinkedModel): AskedGroups {
  const by = splitTerms(flags.by).map((text) => readGroup(text, model));
  const asked = Object.entries(FLAGS).flatMap(([name, { op, flag }]) =>
    readNames(flags[name as keyof typeof FLAGS], flag).map((text) => {
      const attribute = entryAt(text, flag, model);
      checkAggregate(op, flag, attribute);
      return { op, attribute: attribute.name };
    }),
  );
  const isCounted = flags.count === true || asked.length === 0;
  const counted = isCounted ? [{ op: 'count' } as const] : [];
  const aggregates = Object.fromEntries(nameAggregates([...counted, ...asked], by));
  const attributes = groupAttributes({ by, aggregates }, model);
  const { references: _, others: __, ...own } = model;
  return { by, aggregates, shown: { ...own, attributes } };
}

/** A name may have colons itself. */
function readGroup(text: string, model: LinkedModel): string | GroupRequest {
  const { name, ending } = readTerm(text, '--by', {
    pattern: /:[a-z]+(?:@[A-Za-z][\w/+-]*)?$/,
    expected: 'a comma or :month',
    isName: (whole) => attributeAt(whole, model) !== undefined,
  });
  const entry = entryAt(name, '--by', model);
  if (ending === '') return name;
  const [unit = '', zone] = ending.slice(1).split('@');
  const units = unitsOf(entry.type as WireType);
  const by = DATE_UNITS.find((one) => one === unit);
  if (by === undefined || !units.includes(by)) throw unknownUnit(text, unit, { entry, units });
  return { attribute: name, by, ...(zone !== undefined && { time_zone: zone }) };
}

function unknownUnit(
  text: string,
  unit: string,
  { entry, units }: { readonly entry: AttributeEntry; readonly units: readonly DateUnit[] },
): UsageError {
  const { name, type } = entry;
  return new UsageError(
    units.length === 0
      ? `--by ${text}: ${nameText(name)} is of type ${type}, which has no "${unit}". Group by ` +
          `${printName(name)}.`
      : `--by ${text}: "${unit}" is none of ${units.join(', ')}.`,
  );
}

function entryAt(name: string, flag: string, model: LinkedModel): AttributeEntry {
  const entry = attributeAt(name, model);
  if (entry !== undefined) return entry;
  throw new UnknownAttributeError(name, `${flag}: ${noAttributeText(name, model)}`);
}

function checkAggregate(
  op: AggregateOp,
  flag: string,
  { name, type, items }: AttributeEntry,
): void {
  if (aggregatesOf(type as WireType, items as WireType | undefined).includes(op)) return;
  throw new UsageError(`${flag}: ${nameText(name)} is of type ${type}, which has no ${op}.`);
}
