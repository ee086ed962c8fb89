import type { AttributeEntry } from '@proj/client';
import { attributeAt, type LinkedModel } from '@proj/contract';

import { MappingError } from '../errors.ts';
import { Condition, type MappingContext } from './condition.ts';

/** The attributes of a model, and those at the end of its paths, as the columns of a grid. */
export class Columns {
  readonly context: MappingContext;
  readonly #model: LinkedModel;

  constructor(model: LinkedModel, context: MappingContext) {
    this.#model = model;
    this.context = context;
  }

  /** The model's own attributes whose values are texts. */
  get texts(): readonly string[] {
    return this.#model.attributes
      .filter(({ operators }) => operators.includes('icontains'))
      .map(({ name }) => name);
  }

  has(column: string): boolean {
    return attributeAt(column, this.#model) !== undefined;
  }

  /** @throws {MappingError} where the model has no such attribute, and no path leads to one. */
  entry(column: string, condition: string): AttributeEntry {
    const entry = attributeAt(column, this.#model);
    if (entry) return entry;
    throw new MappingError({
      grid: this.context.grid,
      column,
      condition,
      reason: `the model ${this.#model.name} has no such attribute`,
      instead:
        'a column whose field is an attribute or a path to one; no filters or sorting in others',
    });
  }

  /** A condition of one column, which may distinguish letter cases by itself. */
  condition(
    column: string,
    condition: string,
    { caseSensitive } = this.context as Pick<MappingContext, 'caseSensitive'>,
  ): Condition {
    const context = { ...this.context, caseSensitive };
    return new Condition(this.entry(column, condition), condition, context);
  }

  /** @throws {MappingError} always, of what is about no single column. */
  refuse(condition: string, reason: string, instead: string): never {
    const { grid } = this.context;
    throw new MappingError({ grid, column: null, condition, reason, instead });
  }
}
