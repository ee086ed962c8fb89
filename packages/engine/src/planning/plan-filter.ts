import {
  comparedType,
  type Filter,
  type FilterLeaf,
  isFilter,
  jsonPointer,
  nameText,
  type Operator,
  OPERATORS,
  operatorsOf,
  readFilter,
  type RequestError,
} from '@proj/contract';

import type { Attribute, Model } from '../catalogue/model.ts';
import type { VisibleModel } from '../catalogue/grant.ts';
import type { Condition } from './condition.ts';
import { planDay, readCalendarDay } from './zones/plan-day.ts';
import { readZone } from './zones/time-zone.ts';
import {
  expectedValue,
  readBound,
  readFilterValue,
  unorderable,
} from './values/read-filter-value.ts';
import { type ConditionNames, plainNames } from './resolved-name.ts';

/** @param model undefined where unknown: then only the shape is looked at */
export function rowPolicyErrors(
  rowPolicy: unknown,
  model: Model | undefined,
): readonly RequestError[] {
  const { filter, errors } = readFilter(rowPolicy, []);
  if (filter === undefined || model === undefined) return errors;
  return new PlannedFilter(filter, plainNames(model), []).errors;
}

export function rowPolicyOf(
  { rowPolicy, full }: VisibleModel,
  number?: number,
): Condition | undefined {
  if (rowPolicy === undefined) return undefined;
  const planned = new PlannedFilter(rowPolicy, plainNames(full, number));
  // Without the policy the caller would see rows of others.
  if (planned.errors.length > 0)
    throw new Error(`The row policy of ${full.name} does not fit the model.`);
  return planned.condition;
}

const ORDERING: ReadonlySet<Operator> = new Set(['lt', 'lte', 'gt', 'gte', 'between']);

type Path = readonly (string | number)[];

export class PlannedFilter {
  readonly errors: RequestError[] = [];
  readonly #names: ConditionNames;
  readonly #condition: Condition | undefined;

  constructor(filter: Filter, names: ConditionNames, path: Path = ['query_filter']) {
    this.#names = names;
    this.#condition = this.#plan(filter, path);
  }

  /** @throws {Error} with errors, as more rows would meet what is left */
  get condition(): Condition {
    if (this.#condition === undefined || this.errors.length > 0)
      throw new Error('The errors of a filter are to be reported.');
    return this.#condition;
  }

  #plan(filter: Filter, path: Path): Condition | undefined {
    if ('not' in filter) {
      const not = this.#plan(filter.not, [...path, 'not']);
      return not && { not };
    }
    if ('and' in filter) return { and: this.#planAll(filter.and, [...path, 'and']) };
    if ('or' in filter) return { or: this.#planAll(filter.or, [...path, 'or']) };
    if ('related' in filter) return this.#planRelated(filter, path);
    return this.#planLeaf(filter, path);
  }

  #planAll(filters: readonly Filter[], path: Path): Condition[] {
    return filters.flatMap((filter, index) => this.#plan(filter, [...path, index]) ?? []);
  }

  #planRelated(leaf: Extract<Filter, { readonly related: string }>, path: Path) {
    const pointer = jsonPointer([...path, 'related']);
    const referring = this.#names.referring?.(leaf.related, pointer);
    const detail = 'No related records can be named here.';
    if (referring === undefined)
      return this.#refuse({ pointer, code: 'unknown_attribute', detail });
    if ('error' in referring) return this.#refuse(referring.error);
    const { names, policy, ...found } = referring;
    const [member, filter] = 'some' in leaf ? ['some', leaf.some] : ['none', leaf.none];
    const own = isFilter(filter) ? new PlannedFilter(filter, names, [...path, member]) : undefined;
    this.errors.push(...(own?.errors ?? []));
    if (this.errors.length > 0) return undefined;
    const { joins } = names;
    const condition = and(policy, own?.condition);
    return { referred: { ...found, joins, condition, isThere: member === 'some' } };
  }

  #planLeaf({ op, ...leaf }: FilterLeaf, path: Path): Condition | undefined {
    const resolved = this.#names.resolve(leaf.attribute, jsonPointer([...path, 'attribute']));
    if (resolved.error !== undefined) return this.#refuse(resolved.error);
    const { attribute } = resolved;
    const operators = operatorsOf(attribute.type);
    if (!operators.includes(op)) {
      const { name, type } = attribute;
      const detail = `${nameText(name)} is ${type}; it takes ${operators.join(', ')}.`;
      const pointer = jsonPointer([...path, 'op']);
      return this.#refuse({ pointer, code: 'operator_not_applicable', detail });
    }
    if (op === 'on') return this.#planDay(leaf, attribute, path);
    const values = this.#planValues({ ...leaf, op }, attribute, [...path, 'value']);
    return values && { attribute, op, values };
  }

  #planDay({ value, time_zone: name }: Omit<FilterLeaf, 'op'>, attribute: Attribute, path: Path) {
    const day = readCalendarDay(value, attribute);
    if (day === undefined)
      return this.#refuseValue([...path, 'value'], 'a day, such as "2026-01-31"');
    const read = readZone(name, attribute, { pointer: jsonPointer([...path, 'time_zone']) });
    if (read.error !== undefined) return this.#refuse(read.error);
    return planDay(attribute, day, read.zone);
  }

  #planValues(leaf: FilterLeaf, attribute: Attribute, path: Path) {
    const { op, value } = leaf;
    const { operand } = OPERATORS[op];
    const compared = { ...attribute, type: comparedType(attribute) };
    if (operand === 'truth')
      return typeof value === 'boolean' ? [value] : this.#refuseValue(path, 'true or false');
    if (operand === 'value_or_null' && value === null) return [null];
    const isList = (operand === 'list' || operand === 'pair') && Array.isArray(value);
    const given: readonly unknown[] = isList ? value : [value];
    const read = ORDERING.has(op) ? readBound : readFilterValue;
    const values = given.flatMap((item, index) => {
      const itemPath = isList ? [...path, index] : path;
      const one = read(item, compared);
      if (one === undefined) return this.#refuseValue(itemPath, expectedValue(compared)) ?? [];
      const expected = ORDERING.has(op) ? unorderable(one, attribute) : undefined;
      return expected === undefined ? one : (this.#refuseValue(itemPath, expected) ?? []);
    });
    return values.length === given.length ? values : undefined;
  }

  #refuseValue(path: Path, expected: string): undefined {
    const pointer = jsonPointer(path);
    const detail = `${pointer}: expected ${expected}.`;
    this.#refuse({ pointer, code: 'invalid_value', detail });
  }

  #refuse(error: RequestError): undefined {
    this.errors.push(error);
  }
}

export function and(
  policy: Condition | undefined,
  condition: Condition | undefined,
): Condition | undefined {
  if (policy === undefined) return condition;
  return condition === undefined ? policy : { and: [policy, condition] };
}
