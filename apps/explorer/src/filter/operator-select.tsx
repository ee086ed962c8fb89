import type { AttributeEntry } from '@proj/client';

import type { Condition } from '../state/view-state.ts';
import { conditionOperators, fitOperands, operatorLabel } from './operator-label.ts';

interface OperatorSelectProps {
  readonly label: string;
  readonly entry: AttributeEntry | undefined;
  readonly condition: Condition;
  readonly onChange: (condition: Condition) => void;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string;
}

/**
 * An operator that the catalogue does not offer stays to be seen, so that the service can say what
 * is wrong with it.
 */
export function OperatorSelect({
  label,
  entry,
  condition,
  onChange,
  ...aria
}: OperatorSelectProps) {
  const { operator, operands } = condition;
  const offered = entry === undefined ? [] : conditionOperators(entry);
  const operators = offered.includes(operator) ? offered : [operator, ...offered];
  const choose = (name: string) => {
    const chosen = operators.find((candidate) => candidate === name);
    if (chosen !== undefined)
      onChange({ ...condition, operator: chosen, operands: fitOperands(chosen, operands) });
  };
  return (
    <select
      {...aria}
      aria-label={label}
      value={operator}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      {operators.map((candidate) => (
        <option key={candidate} value={candidate}>
          {operatorLabel(candidate)}
        </option>
      ))}
    </select>
  );
}
