import {
  aggregateName,
  type AggregateOp,
  AGGREGATES,
  aggregatesOf,
  attributeAt,
  DATE_UNITS,
  type GroupRequest,
  type LinkedModel,
  nameText,
  type WireType,
} from '@proj/contract';

import { ToolError } from '../errors/explain.ts';

/**
 * What to group by: an attribute, a path, or a date with a part of time as `placed_at.month`, or as
 * `placed_at.day@Europe/Paris`.
 */
export function readBy(text: string, model: LinkedModel): string | GroupRequest {
  if (attributeAt(text, model) !== undefined) return text;
  const [, attribute = '', part, zone] = /^(.+)\.([a-z]+)(?:@(.+))?$/.exec(text) ?? [];
  const by = DATE_UNITS.find((one) => one === part);
  if (by === undefined) return text;
  return { attribute, by, ...(zone !== undefined && { time_zone: zone }) };
}

/** One thing that is computed of records. */
export interface Computed {
  /** What results call it, such as `sum_population`. */
  readonly name: string;
  readonly op: AggregateOp;
  readonly attribute: string;
}

const OPS = Object.keys(AGGREGATES) as AggregateOp[];

/**
 * Reads `sum(population)`. Whether the model has the attribute is said by the service.
 *
 * @throws {ToolError} when it is something else, or the attribute has no such result.
 */
export function readComputed(text: string, model: LinkedModel): Computed {
  const [, word = '', attribute = ''] = /^\s*(\w+)\s*\(\s*(.+?)\s*\)\s*$/.exec(text) ?? [];
  const op = OPS.find((one) => one === word.toLowerCase());
  if (op === undefined || attribute === '')
    throw new ToolError(
      `compute: expected ${OPS.map((one) => `${one}(…)`).join(', ')} with an attribute between ` +
        `the brackets; got "${text}". Records are counted in any case.`,
    );
  const entry = attributeAt(attribute, model);
  const has =
    entry === undefined
      ? OPS
      : aggregatesOf(entry.type as WireType, entry.items as WireType | undefined);
  if (!has.includes(op))
    throw new ToolError(
      `compute: ${nameText(attribute)} is of type ${entry?.type}, which has no ${op}; it has ` +
        `${has.join(', ')}.`,
    );
  return { name: aggregateName(op, attribute), op, attribute };
}
