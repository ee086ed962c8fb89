import type { Filter, ModelEntry } from '@proj/client';
import { OPERATORS } from '@proj/contract';

import { operandValue } from './operand-value.ts';
import type { Condition, SortTerm, ViewState } from './view-state.ts';

/** What a view asks the service for. */
export interface ViewQuery {
  readonly model: string;
  readonly attributes: readonly string[];
  readonly page: number;
  readonly size: number;
  readonly filter?: Filter;
  readonly sort?: readonly SortTerm[];
}

/** The query of a view of this model. One condition is the filter itself, several are a group. */
export function viewQuery(view: ViewState, model: ModelEntry): ViewQuery {
  const filter = viewFilter(view, model);
  return {
    model: model.name,
    attributes: shownAttributes(view, model),
    page: view.page,
    size: view.size,
    ...(filter && { filter }),
    ...(view.sort.length > 0 && { sort: view.sort }),
  };
}

/** The attributes that a view shows, in their order. */
export function shownAttributes({ attributes }: ViewState, model: ModelEntry): readonly string[] {
  return attributes ?? model.attributes.map(({ name }) => name);
}

/** The filter of a view; undefined when it has no conditions. */
export function viewFilter(
  { conditions, match }: ViewState,
  model: ModelEntry,
): Filter | undefined {
  const leaves = conditions.map((condition) => conditionFilter(condition, model));
  if (leaves.length < 2) return leaves[0];
  return match === 'all' ? { and: leaves } : { or: leaves };
}

/** The comparison of a condition. */
export function conditionFilter(
  { attribute, operator, operands }: Condition,
  model: ModelEntry,
): Filter {
  if (operator === 'not_null') return { attribute, op: 'is_null', value: false };
  const { operand } = OPERATORS[operator];
  if (operand === 'truth') return { attribute, op: operator, value: true };
  const type = model.attributes.find(({ name }) => name === attribute)?.type ?? 'other';
  const values = operands.map((text) => operandValue(type, text));
  return {
    attribute,
    op: operator,
    value: operand === 'list' || operand === 'pair' ? values : (values[0] ?? ''),
  };
}
