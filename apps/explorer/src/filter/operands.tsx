import { SteadyButton } from '../controls/steady-button.tsx';
import type { ErrorPlace } from '../state/filter/error-place.ts';
import type { Condition } from '../state/view-state.ts';
import { OperandInput } from './operand-input.tsx';
import type { Suggest } from './use-suggestions.ts';
import { operandKind } from './operator-label.ts';

interface OperandsProps {
  readonly condition: Condition;
  readonly title: string;
  readonly type: string;
  readonly suggest: Suggest | null;
  readonly places: readonly ErrorPlace[];
  readonly errorsId: string;
  readonly onChange: (condition: Condition) => void;
}

/** The values of a condition. A list can grow and shrink. */
export function Operands({
  condition,
  title,
  type,
  suggest,
  places,
  errorsId,
  onChange,
}: OperandsProps) {
  const { operator, operands } = condition;
  const isList = operandKind(operator) === 'list';
  const change = (changed: readonly string[]) => onChange({ ...condition, operands: changed });
  return (
    <span class="operands">
      {operands.map((value, place) => (
        <OperandInput
          key={place}
          suggest={suggest}
          type={type}
          value={value}
          label={operands.length > 1 ? `${title}: value ${place + 1}` : `${title}: value`}
          isInvalid={places.some(
            (error) => error.control === 'condition' && error.operand === place,
          )}
          describedBy={errorsId}
          onChange={(text) => change(operands.with(place, text))}
        />
      ))}
      {isList && <ListLength title={title} operands={operands} onChange={change} />}
    </span>
  );
}

interface ListLengthProps {
  readonly title: string;
  readonly operands: readonly string[];
  readonly onChange: (operands: readonly string[]) => void;
}

function ListLength({ title, operands, onChange }: ListLengthProps) {
  return (
    <>
      <button
        type="button"
        aria-label={`${title}: one value more`}
        onClick={() => onChange([...operands, ''])}
      >
        +
      </button>
      <SteadyButton
        aria-label={`${title}: one value less`}
        isOff={operands.length < 2}
        onClick={() => onChange(operands.slice(0, -1))}
      >
        −
      </SteadyButton>
    </>
  );
}
