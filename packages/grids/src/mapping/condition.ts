import type { AttributeEntry, Filter } from '@proj/client';

import { MappingError } from '../errors.ts';
import { anyOf, type Part } from './filter-parts.ts';
import { jsonText } from './json-text.ts';
import { expectedOperand, meaningsOf, operandOf } from './operand.ts';

type FilterLeaf = Extract<Filter, { readonly op: unknown }>;

type Operator = FilterLeaf['op'];

/** How conditions of a grid are taken. */
export interface MappingContext {
  /** The grid, as its makers write it. */
  readonly grid: string;
  /** Whether conditions on texts distinguish letter cases. */
  readonly caseSensitive: boolean;
}

/** What a condition of a grid finds, given its value. */
export type Mapping = (mapped: Condition, value: unknown) => Part;

/** Maps a condition of one column to a filter. */
export class Condition {
  readonly entry: AttributeEntry;
  readonly #context: MappingContext;
  readonly #condition: string;

  constructor(entry: AttributeEntry, condition: string, context: MappingContext) {
    this.entry = entry;
    this.#condition = condition;
    this.#context = context;
  }

  get caseSensitive(): boolean {
    return this.#context.caseSensitive;
  }

  /** @throws {MappingError} always. */
  refuse(reason: string, instead: string): never {
    throw new MappingError({
      grid: this.#context.grid,
      column: this.entry.name,
      condition: this.#condition,
      reason,
      instead,
    });
  }

  /** Compares with one value. */
  compare(op: Operator, value: unknown): Filter {
    if (op === 'eq') return this.isOneOf([value]);
    return this.#leaf(op, this.operand(value));
  }

  /** Whether the attribute is one of some values; no record is where there are none. */
  isOneOf(values: readonly unknown[]): Filter {
    const operands = values.flatMap((value) => this.#equals(value));
    const [first] = operands;
    if (operands.length === 0) return this.nothing();
    return operands.length === 1 ? this.#leaf('eq', first) : this.#leaf('in', operands);
  }

  /** Whether an array holds one of some values, or all of them. */
  holds(op: 'has_any' | 'has_all', values: readonly unknown[]): Filter {
    const found = this.#leaf(
      op,
      values.map((value) => this.operand(value)),
    );
    if (values.length > 0) return found;
    return op === 'has_any' ? this.nothing() : this.isNotNull();
  }

  get isArray(): boolean {
    return this.entry.operators.includes('has_any');
  }

  /** Whether the attribute is within a day, for instants one of the reader's clock. */
  isOn(day: string): Filter {
    const { timeZone: time_zone } = Intl.DateTimeFormat().resolvedOptions();
    const on = this.#leaf('on', day);
    return this.entry.type === 'timestamp_tz' ? { ...on, time_zone } : on;
  }

  /** Whether the attribute differs from a value; NULL does. */
  isOther(value: unknown): Part {
    const [first, ...more] = this.#equals(value);
    return more.length === 0
      ? this.#leaf('is_distinct', first)
      : this.except(this.isOneOf([value]));
  }

  isNull(): Filter {
    return this.#leaf('is_null', true);
  }

  isNotNull(): Filter {
    return this.#leaf('is_null', false);
  }

  /** No record. */
  nothing(): Filter {
    return { and: [this.isNull(), this.isNotNull()] };
  }

  /** The records that pass a filter, and those where the attribute is NULL. */
  orNull(part: Part): Part {
    return this.entry.nullable ? anyOf([part, this.isNull()]) : part;
  }

  /** The records that do not pass a filter of this attribute, NULL among them. */
  except(filter: Filter): Part {
    return this.orNull({ not: filter });
  }

  /** A value as filters take it. */
  operand(value: unknown): unknown {
    const operand = operandOf(this.entry, value);
    if (operand !== undefined) return operand;
    return this.refuse(
      `an attribute of type ${this.entry.type} is compared with ${expectedOperand(this.entry)}, ` +
        `not with ${describe(value)}`,
      'a value of that kind, and a filter of the grid that goes with the type',
    );
  }

  /** A value as filters take it, or all that a grid may mean by it. */
  #equals(value: unknown): readonly unknown[] {
    const operand = this.operand(value);
    return this.entry.type === 'any' && typeof operand === 'string'
      ? meaningsOf(operand)
      : [operand];
  }

  #leaf(op: Operator, value: unknown): FilterLeaf {
    const { name, type, operators } = this.entry;
    if (operators.includes(op)) return { attribute: name, op, value };
    const taken = operators.join(', ');
    return this.refuse(`an attribute of type ${type} does not take ${op}`, `one of ${taken}`);
  }
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (value instanceof Date) return 'a Date';
  return typeof value === 'bigint' ? String(value) : jsonText(value);
}

/** The values of a grid's list. */
export function listOf(mapped: Condition, value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : mapped.refuse('its value is no list', 'a list of values');
}

/** The two ends of a range. */
export function pairOf(mapped: Condition, value: unknown): readonly [from: unknown, to: unknown] {
  const [from, to, ...more] = listOf(mapped, value);
  if (more.length > 0) mapped.refuse('its value has more than two members', '[from, to]');
  return [from, to];
}
