import type { AttributeEntry, ModelEntry } from '@proj/client';

import { MappingError } from '../errors/mapping-error.ts';
import { Condition, type MappingContext, type TextComparison } from './condition.ts';

/** The attributes of a model, as the columns of a grid. */
export class Columns {
  readonly context: MappingContext;
  readonly #entries: ReadonlyMap<string, AttributeEntry>;
  readonly #model: string;

  constructor({ name, attributes }: ModelEntry, context: MappingContext) {
    this.#model = name;
    this.#entries = new Map(attributes.map((entry) => [entry.name, entry]));
    this.context = context;
  }

  /** The attributes whose values are texts. */
  get texts(): readonly string[] {
    return [...this.#entries.values()]
      .filter(({ operators }) => operators.includes('icontains'))
      .map(({ name }) => name);
  }

  has(column: string): boolean {
    return this.#entries.has(column);
  }

  /** @throws {MappingError} where the model has no such attribute. */
  entry(column: string, condition: string): AttributeEntry {
    const entry = this.#entries.get(column);
    if (entry) return entry;
    throw new MappingError({
      grid: this.context.grid,
      column,
      condition,
      reason: `the model ${this.#model} has no such attribute`,
      instead:
        'a column whose field is the name of an attribute, with filters and sorting off in others',
    });
  }

  /** A condition of one column, whose texts may be compared in a way of their own. */
  condition(column: string, condition: string, texts?: TextComparison): Condition {
    const context = texts ? { ...this.context, texts } : this.context;
    return new Condition(this.entry(column, condition), condition, context);
  }

  /** @throws {MappingError} always, of what is about no single column. */
  refuse(condition: string, reason: string, instead: string): never {
    const { grid } = this.context;
    throw new MappingError({ grid, column: null, condition, reason, instead });
  }
}
