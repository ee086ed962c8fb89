import {
  type Fault,
  type Filter,
  type FilterLeaf,
  jsonPointer,
  type Operator,
  OPERATORS,
  operatorsOf,
  readFilter,
} from '@proj/contract';

import type { Attribute, Model } from '../catalogue/model.ts';
import type { FilterValue } from '../catalogue/filter-value.ts';
import { expectedValue, readFilterValue } from './read-filter-value.ts';
import { unknownAttribute } from './unknown-name.ts';

/** A comparison whose attribute exists and whose values fit it. */
export interface Comparison {
  readonly attribute: Attribute;
  readonly op: Operator;
  /** The values in order; NULL only for `is_distinct`. */
  readonly values: readonly (FilterValue | null)[];
}

/** A filter, checked against a model. */
export type Condition =
  | Comparison
  | { readonly and: readonly Condition[] }
  | { readonly or: readonly Condition[] }
  | { readonly not: Condition };

/** A condition, with the faults that were found on the way. */
export interface ConditionPlanning {
  readonly condition: Condition | undefined;
  readonly faults: Fault[];
}

/**
 * The faults of a row filter, as an operator may have written it: without its shape having been
 * checked.
 */
export function rowFilterFaults(rows: unknown, model: Model): Fault[] {
  const { filter, faults } = readFilter(rows, []);
  return filter === undefined ? faults : planFilter(filter, model, []).faults;
}

type Path = readonly (string | number)[];

/** Checks a filter against the attributes of a model, which are those that the caller may see. */
export function planFilter(
  filter: Filter,
  model: Model,
  path: Path = ['query_filter'],
): ConditionPlanning {
  const preparer = new FilterPlanner(model);
  const condition = preparer.plan(filter, path);
  return { condition, faults: preparer.faults };
}

class FilterPlanner {
  readonly faults: Fault[] = [];
  readonly #model: Model;

  constructor(model: Model) {
    this.#model = model;
  }

  plan(filter: Filter, path: Path): Condition | undefined {
    if ('not' in filter) {
      const not = this.plan(filter.not, [...path, 'not']);
      return not && { not };
    }
    if ('and' in filter) return { and: this.#planAll(filter.and, [...path, 'and']) };
    if ('or' in filter) return { or: this.#planAll(filter.or, [...path, 'or']) };
    return this.#planLeaf(filter, path);
  }

  #planAll(filters: readonly Filter[], path: Path): Condition[] {
    return filters.flatMap((filter, index) => this.plan(filter, [...path, index]) ?? []);
  }

  #planLeaf(leaf: FilterLeaf, path: Path): Comparison | undefined {
    const attribute = this.#model.attributes.get(leaf.attribute);
    if (attribute === undefined) {
      const pointer = jsonPointer([...path, 'attribute']);
      return this.#fault(unknownAttribute(leaf.attribute, this.#model, pointer));
    }
    const operators = operatorsOf(attribute.type);
    if (!operators.includes(leaf.op)) {
      const detail = `${attribute.name} is ${attribute.type}; it takes ${operators.join(', ')}.`;
      return this.#fault({
        pointer: jsonPointer([...path, 'op']),
        code: 'operator_not_applicable',
        detail,
      });
    }
    return this.#planValues(leaf, attribute, [...path, 'value']);
  }

  #planValues({ op, value }: FilterLeaf, attribute: Attribute, path: Path): Comparison | undefined {
    const { operand } = OPERATORS[op];
    if (operand === 'truth')
      return typeof value === 'boolean'
        ? { attribute, op, values: [value] }
        : this.#wrong(path, 'true or false');
    if (operand === 'value_or_null' && value === null) return { attribute, op, values: [null] };
    const listed = operand === 'list' || operand === 'pair';
    const given: readonly unknown[] = listed && Array.isArray(value) ? value : [value];
    const values = given.flatMap((item, index) => {
      const read = readFilterValue(item, attribute);
      if (read === undefined)
        this.#wrong(listed ? [...path, index] : path, expectedValue(attribute));
      return read ?? [];
    });
    return values.length === given.length ? { attribute, op, values } : undefined;
  }

  #wrong(path: Path, expected: string): undefined {
    const pointer = jsonPointer(path);
    return this.#fault({
      pointer,
      code: 'invalid_value',
      detail: `${pointer}: expected ${expected}.`,
    });
  }

  #fault(fault: Fault): undefined {
    this.faults.push(fault);
  }
}
