import { groupDigits } from '@proj/contract';
import { useId, useState } from 'preact/hooks';

import { operandInputType } from './operand-input-type.ts';
import { type Suggest, useSuggestions } from './use-suggestions.ts';

interface OperandInputProps {
  readonly type: string;
  readonly value: string;
  readonly label: string;
  readonly isInvalid: boolean;
  readonly describedBy: string;
  /** Finds values that begin like what was typed; `null` where none can be found. */
  readonly suggest: Suggest | null;
  readonly onChange: (value: string) => void;
}

/** One value of a condition, typed into the input that fits the attribute. */
export function OperandInput({
  type,
  value,
  label,
  isInvalid,
  describedBy,
  suggest,
  onChange,
}: OperandInputProps) {
  const [isEntered, setEntered] = useState(false);
  const listId = useId();
  const suggestions = useSuggestions(isEntered ? suggest : null, value);
  const { type: inputType, inputMode, step, placeholder } = operandInputType(type, value);
  const common = {
    'aria-label': label,
    'aria-invalid': isInvalid,
    'aria-describedby': describedBy,
  };
  if (inputType === 'truth') {
    return (
      <select {...common} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {['', 'true', 'false'].map((truth) => (
          <option key={truth} value={truth}>
            {truth}
          </option>
        ))}
      </select>
    );
  }
  return (
    <span class="operand">
      <input
        {...common}
        type={inputType}
        inputMode={inputMode}
        step={step}
        placeholder={placeholder}
        value={value}
        list={suggestions.length > 0 ? listId : undefined}
        onFocus={() => setEntered(true)}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {suggestions.length > 0 && (
        <datalist id={listId}>
          {suggestions.map(({ text, count }) => (
            <option key={text} value={text}>
              {groupDigits(count)}
            </option>
          ))}
        </datalist>
      )}
      {type === 'timestamp_tz' && <span class="type">UTC</span>}
    </span>
  );
}
