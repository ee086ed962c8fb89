/** What to type a value into. */
export interface OperandInputType {
  readonly type: 'text' | 'date' | 'time' | 'datetime-local' | 'truth';
  readonly inputMode: 'text' | 'numeric' | 'decimal';
  /** The step of a clock, in seconds, as the element takes it. */
  readonly step?: string;
  readonly placeholder: string;
}

const PLAIN = { type: 'text', inputMode: 'text', placeholder: '' } as const;

/**
 * The right input for each wire type. Numbers are texts with digit keys, since number inputs round
 * long ones.
 */
const INPUTS: Readonly<Partial<Record<string, OperandInputType>>> = {
  text: { ...PLAIN, placeholder: 'empty text' },
  enum: { ...PLAIN, placeholder: 'label' },
  uuid: { ...PLAIN, placeholder: '00000000-0000-0000-0000-000000000000' },
  int32: { type: 'text', inputMode: 'numeric', placeholder: 'whole number' },
  int64: { type: 'text', inputMode: 'numeric', placeholder: 'whole number' },
  decimal: { type: 'text', inputMode: 'decimal', placeholder: 'number' },
  float64: { type: 'text', inputMode: 'decimal', placeholder: 'number' },
  boolean: { ...PLAIN, type: 'truth' },
  date: { ...PLAIN, type: 'date' },
  time: { ...PLAIN, type: 'time', step: '1' },
  timestamp: { ...PLAIN, type: 'datetime-local', step: '1', placeholder: '2026-01-31T23:59:59' },
  timestamp_tz: {
    ...PLAIN,
    type: 'datetime-local',
    step: '1',
    placeholder: '2026-01-31T23:59:59Z',
  },
  bytes: { ...PLAIN, placeholder: 'base64' },
};

/**
 * What the clock and calendar inputs of browsers can hold; they show any other value as nothing.
 */
const HOLDABLE: Readonly<Partial<Record<OperandInputType['type'], RegExp>>> = {
  date: /^(\d{4}-\d\d-\d\d)?$/,
  time: /^(\d\d:\d\d(:\d\d)?)?$/,
  'datetime-local': /^(\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?)?$/,
};

/**
 * The input for a value of the type; a text input where the value is one that another would lose,
 * such as microseconds.
 */
export function operandInputType(type: string, value: string): OperandInputType {
  const input = INPUTS[type] ?? PLAIN;
  const isHeld = HOLDABLE[input.type]?.test(value) ?? true;
  return isHeld ? input : { ...PLAIN, placeholder: input.placeholder };
}
