import { expect, it } from 'vitest';

import { operandInputType } from './operand-input-type.ts';

it.each([
  ['date', '', 'date'],
  ['date', '2026-01-31', 'date'],
  ['date', 'yesterday', 'text'],
  ['timestamp', '2026-01-31T23:59', 'datetime-local'],
  ['timestamp_tz', '2026-01-31T23:59:59', 'datetime-local'],
  ['timestamp_tz', '2026-01-31T23:59:59.000001Z', 'text'],
  ['time', '12:30:00', 'time'],
  ['boolean', 'true', 'truth'],
  ['int64', '9223372036854775807', 'text'],
  ['vector', '', 'text'],
])('a value of type %s that is "%s" is typed into a %s input', (type, value, input) => {
  expect(operandInputType(type, value).type).toBe(input);
});
