import type { ModelEntry } from '@proj/client';
import { attributeAt } from '@proj/contract';

import type { Condition } from '../state/view-state.ts';
import { conditionOperators, fitOperands } from './operator-label.ts';

/** A condition on another attribute; operator and values stay where they fit. */
export function startCondition(
  model: ModelEntry,
  attribute: string,
  previous?: Condition,
): Condition {
  const entry = attributeAt(attribute, model);
  const offered = entry === undefined ? [] : conditionOperators(entry);
  const usual =
    entry?.type === 'text' && offered.includes('icontains')
      ? 'icontains'
      : (offered[0] ?? 'is_null');
  const operator = previous && offered.includes(previous.operator) ? previous.operator : usual;
  return { attribute, operator, operands: fitOperands(operator, previous?.operands ?? []) };
}

/** The attribute of a condition that nobody named: the first text, else the first of any type. */
export function usualAttribute({ attributes }: ModelEntry): string | undefined {
  const filtered = attributes.filter(({ operators }) => operators.length > 0);
  return (filtered.find(({ type }) => type === 'text') ?? filtered[0])?.name;
}
