import {
  type AggregateOp,
  AGGREGATES,
  aggregatesOf,
  attributeAt,
  DATE_UNITS,
  type GroupRequest,
  type LinkedModel,
  nameAggregates,
  nameText,
  type RequestedGroups,
  type WireType,
} from '@proj/contract';

import { ToolError } from '../errors/explain.ts';

/**
 * What to group by: an attribute, a path, or a date with a part of time as `placed_at.month`, or as
 * `placed_at.day@Europe/Paris`.
 */
export function readBy(text: string, model: LinkedModel): string | GroupRequest {
  if (attributeAt(text, model) !== undefined) return text;
  const found = /\.([a-z]+)(?:@([^.@]+))?$/.exec(text);
  const by = DATE_UNITS.find((one) => one === found?.[1]);
  if (found === null || by === undefined) return text;
  const [, , zone] = found;
  return {
    attribute: text.slice(0, found.index),
    by,
    ...(zone !== undefined && { time_zone: zone }),
  };
}

/** One thing that is computed of records. */
interface ComputeTerm {
  readonly op: AggregateOp;
  readonly attribute: string;
}

/** With what results call it, such as `sum_population`. */
export interface Computed extends ComputeTerm {
  readonly name: string;
}

/**
 * Reads what is computed, besides groups.
 *
 * @throws {ToolError} at the first that cannot be.
 */
export function readCompute(
  texts: readonly string[],
  model: LinkedModel,
  by: RequestedGroups['by'],
): Computed[] {
  const terms = texts.map((text) => readComputeTerm(text, model));
  return [...nameAggregates(terms, by)].map(([name, term]) => ({ name, ...term }));
}

const OPS = Object.keys(AGGREGATES) as AggregateOp[];

/**
 * Reads `sum(population)`. Whether the model has the attribute is said by the service.
 *
 * @throws {ToolError} when it is something else, or the attribute has no such result.
 */
function readComputeTerm(text: string, model: LinkedModel): ComputeTerm {
  const [word = '', ...others] = text.trim().split('(');
  const behind = others.join('(');
  const attribute = behind.endsWith(')') ? behind.slice(0, -1).trim() : '';
  const op = OPS.find((one) => one === word.trim().toLowerCase());
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
  return { op, attribute };
}
