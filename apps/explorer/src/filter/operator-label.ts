import type { AttributeEntry } from '@proj/client';
import { isOperator, type OperandKind, OPERATORS } from '@proj/contract';

import type { ConditionOperator } from '../state/view-state.ts';

const LABELS: Readonly<Record<ConditionOperator, string>> = {
  eq: '=',
  ne: '≠',
  lt: '<',
  lte: '≤',
  gt: '>',
  gte: '≥',
  in: 'is one of',
  not_in: 'is none of',
  between: 'is between',
  is_null: 'is NULL',
  not_null: 'is not NULL',
  contains: 'contains, case exact',
  starts_with: 'starts with, case exact',
  ends_with: 'ends with, case exact',
  ieq: '=, any case',
  icontains: 'contains',
  istarts_with: 'starts with',
  iends_with: 'ends with',
  overlaps: 'overlaps',
  has: 'holds',
  has_any: 'holds one of',
  has_all: 'holds all of',
  on: 'on the day',
  is_distinct: 'is distinct from',
};

/** What the list of operators calls an operator. */
export function operatorLabel(operator: ConditionOperator): string {
  return LABELS[operator];
}

/**
 * The operators that an attribute takes; being NULL and not being NULL are two. One that only a
 * newer service knows is left out.
 */
export function conditionOperators({
  operators,
}: Pick<AttributeEntry, 'operators'>): readonly ConditionOperator[] {
  return operators
    .filter(isOperator)
    .flatMap((operator) =>
      operator === 'is_null' ? (['is_null', 'not_null'] as const) : [operator],
    );
}

/** The inputs beside an operator. */
export function operandKind(operator: ConditionOperator): OperandKind {
  return operator === 'not_null' ? 'truth' : OPERATORS[operator].operand;
}

/** The operands for an operator, made of those of another: what was typed is kept where it fits. */
export function fitOperands(
  operator: ConditionOperator,
  operands: readonly string[],
): readonly string[] {
  switch (operandKind(operator)) {
    case 'truth':
      return [];
    case 'pair':
      return [operands[0] ?? '', operands[1] ?? ''];
    case 'list':
      return operands.length === 0 ? [''] : operands;
    default:
      return [operands[0] ?? ''];
  }
}
