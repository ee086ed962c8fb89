import type { AttributeEntry } from '@proj/client';

import { withoutFacet } from './facet-conditions.ts';
import { withAlso } from './filter-tree.ts';
import type { Condition, ConditionOperator, FilterGroup } from '../view-state.ts';

/** An attribute and one of its values, as a text; `null` for NULL. */
export interface CellValue {
  readonly attribute: Pick<AttributeEntry, 'name' | 'operators'>;
  readonly value: string | null;
}

/** The filter by which the records have this value; undefined where the attribute takes none. */
export function withOnly(filter: FilterGroup, cell: CellValue): FilterGroup | undefined {
  const { name } = cell.attribute;
  const condition = conditionOn(cell, { value: 'eq', none: 'is_null' });
  return condition && withAlso(withoutFacet(filter, name, 'values'), [condition]);
}

/**
 * The filter by which the records have another value, which NULL is too; undefined where the
 * attribute takes none.
 */
export function withoutValue(filter: FilterGroup, cell: CellValue): FilterGroup | undefined {
  const condition = conditionOn(cell, { value: 'is_distinct', none: 'not_null' });
  return condition && withAlso(filter, [condition]);
}

function conditionOn(
  { attribute: { name, operators }, value }: CellValue,
  by: { readonly value: 'eq' | 'is_distinct'; readonly none: 'is_null' | 'not_null' },
): Condition | undefined {
  const operator: ConditionOperator = value === null ? by.none : by.value;
  if (!operators.includes(operator === 'not_null' ? 'is_null' : operator)) return undefined;
  return { attribute: name, operator, operands: value === null ? [] : [value] };
}
