import { hash } from 'node:crypto';

import type { Condition } from '../../../../planning/condition.ts';

/** Names conditions: equal ones on the same columns have the same name. */
export class ConditionNames {
  /** A condition may be long, and that of a prepared query comes again and again. */
  readonly #known = new WeakMap<Condition, string>();

  of(condition: Condition): string {
    const known = this.#known.get(condition);
    if (known !== undefined) return known;
    const name = hash('sha256', JSON.stringify(shapeOf(condition)), 'base64url');
    this.#known.set(condition, name);
    return name;
  }
}

/** By columns: the same attribute may be of another one after the settings were read again. */
function shapeOf(condition: Condition): unknown {
  if ('and' in condition) return { and: condition.and.map(shapeOf) };
  if ('or' in condition) return { or: condition.or.map(shapeOf) };
  if ('not' in condition) return { not: shapeOf(condition.not) };
  if ('referred' in condition) throw new Error('Lists that depend on others are not followed.');
  const { attribute, op, values } = condition;
  return [attribute.column, attribute.databaseType, op, values.map(valueShape)];
}

/** JSON has no text for a bigint. */
function valueShape(value: unknown): unknown {
  return [typeof value, String(value)];
}
