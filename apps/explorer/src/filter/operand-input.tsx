import { operandInputType } from './operand-input-type.ts';

interface OperandInputProps {
  readonly type: string;
  readonly value: string;
  readonly label: string;
  readonly isInvalid: boolean;
  readonly describedBy: string;
  readonly onChange: (value: string) => void;
}

/** One value of a condition, typed into the input that fits the attribute. */
export function OperandInput({
  type,
  value,
  label,
  isInvalid,
  describedBy,
  onChange,
}: OperandInputProps) {
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
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {type === 'timestamp_tz' && <span class="type">UTC</span>}
    </span>
  );
}
