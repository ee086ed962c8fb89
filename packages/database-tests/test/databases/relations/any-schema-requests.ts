import {
  aggregatesOf,
  type Filter,
  isGroupable,
  type Operator,
  operatorsOf,
  OPERATORS,
  SORTABLE_TYPES,
  unitsOf,
} from '@proj/contract';

import type { AggregateTerm, GroupTerm } from '../groups/grouped-by-hand.ts';
import type { Named } from './any-schema-views.ts';

export interface SortTerm {
  readonly attribute: string;
  readonly direction: 'asc' | 'desc';
  readonly nulls: 'first' | 'last';
}

/** A list, and a page of it. */
export interface AnyRequest {
  readonly attributes: readonly string[];
  readonly filter: Filter | undefined;
  readonly sort: readonly SortTerm[];
  readonly page: number;
  readonly size: number;
}

/** Makes random requests of what a model shows, with values that its records have. */
export class Requests {
  readonly #random: () => number;
  readonly #named: readonly Named[];
  readonly #records: readonly Readonly<Record<string, unknown>>[];

  /** @param records by the columns of the view */
  constructor(
    named: readonly Named[],
    records: readonly Readonly<Record<string, unknown>>[],
    random: () => number,
  ) {
    this.#named = named;
    this.#records = records;
    this.#random = random;
  }

  next(): AnyRequest {
    const attributes = this.#some(this.#named, 6).map(({ name }) => name);
    const sortable = this.#named.filter(({ attribute }) => SORTABLE_TYPES.has(attribute.type));
    const sort =
      this.#below(3) === 0 ? [] : this.#some(sortable, 3).map(({ name }) => this.#term(name));
    const filter = this.#below(3) === 0 ? undefined : this.filter(2);
    const size = 1 + this.#below(40);
    const pages = Math.ceil(this.#records.length / size) + 1;
    const page = this.#below(2) === 0 ? 1 : 1 + this.#below(pages);
    return { attributes, filter, sort, page, size };
  }

  /** Group attributes and aggregates, without those that databases compute in ways of their own. */
  groups(): { readonly groups: GroupTerm[]; readonly aggregates: AggregateTerm[] } {
    const groupable = this.#named.filter(({ attribute: { type, items } }) =>
      isGroupable(type, items),
    );
    const groups = this.#some(groupable, 3).map(({ name, attribute }): GroupTerm => {
      const units = unitsOf(attribute.type);
      const by = units[this.#below(units.length * 2 || 1)];
      return { attribute: name, ...(by && { by }) };
    });
    const aggregates = this.#some(this.#named, 3).map(({ name, attribute }, index) => {
      const { type, items } = attribute;
      const isText = type === 'text' || type === 'uuid';
      const ops = aggregatesOf(type, items).filter(
        (op) => type !== 'float64' && !(isText && (op === 'min' || op === 'max')),
      );
      return { name: `a${index}`, op: this.#one(ops) ?? 'count', attribute: name };
    });
    return { groups, aggregates };
  }

  filter(depth: number): Filter {
    const kind = depth === 0 ? 3 : this.#below(6);
    if (kind === 0) return { and: [this.filter(depth - 1), this.filter(depth - 1)] };
    if (kind === 1) return { or: [this.filter(depth - 1), this.filter(depth - 1)] };
    if (kind === 2) return { not: this.filter(depth - 1) };
    const { name, attribute, column } = this.#one(this.#named) as Named;
    const op = this.#one(operatorsOf(attribute.type)) ?? 'is_null';
    const value = this.#operand(op, column);
    // No record may have a value at all.
    return value === undefined
      ? { attribute: name, op: 'is_null', value: false }
      : { attribute: name, op, value };
  }

  /** Undefined where the operator needs a value and none was found. */
  #operand(op: Operator, column: string): unknown {
    const values = Array.from({ length: 3 }, () => this.#one(this.#records)?.[column] ?? null);
    const [first, second] = values.filter((value) => value !== null);
    switch (OPERATORS[op].operand) {
      case 'truth':
        return this.#below(2) === 0;
      case 'list':
        return first === undefined ? undefined : values.filter((value) => value !== null);
      case 'pair':
        return first === undefined ? undefined : [first, second ?? first];
      case 'day':
        return typeof first === 'string' && /^\d{4}-/.test(first) ? first.slice(0, 10) : undefined;
      case 'value_or_null':
        return first ?? null;
      default:
        return typeof first === 'string' && /with|contains/.test(op) ? first.slice(0, 2) : first;
    }
  }

  #term(attribute: string): SortTerm {
    return {
      attribute,
      direction: this.#below(2) === 0 ? 'asc' : 'desc',
      nulls: this.#below(2) === 0 ? 'first' : 'last',
    };
  }

  /** Up to so many of them, at least one, each once. */
  #some<Item>(items: readonly Item[], most: number): Item[] {
    const count = 1 + this.#below(most);
    return [...new Set(Array.from({ length: count }, () => this.#one(items)))].filter(
      (item) => item !== undefined,
    );
  }

  #one<Item>(items: readonly Item[]): Item | undefined {
    return items[this.#below(items.length)];
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }
}
