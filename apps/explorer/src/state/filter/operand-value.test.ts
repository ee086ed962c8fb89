import { expect, it } from 'vitest';

import { operandText, operandValue } from './operand-value.ts';

it.each([
  ['int32', '42', 42],
  ['int32', ' -7 ', -7],
  ['int32', '', ''],
  ['int32', 'many', 'many'],
  ['int32', '9007199254740993', '9007199254740993'],
  ['float64', '0.1', 0.1],
  ['float64', '123456789012345680', 123_456_789_012_345_680],
  ['float64', '1e+21', 1e21],
  ['float64', 'NaN', 'NaN'],
  ['float64', '1e400', '1e400'],
  ['int64', '9223372036854775807', '9223372036854775807'],
  ['decimal', ' 12.50 ', '12.50'],
  ['boolean', 'true', true],
  ['boolean', 'false', false],
  ['boolean', 'yes', 'yes'],
  ['text', ' a ', ' a '],
  ['text', '', ''],
  ['date', '2026-01-31', '2026-01-31'],
  ['time', '12:30', '12:30:00'],
  ['time', '12:30:01', '12:30:01'],
  ['timestamp', '2026-01-31T23:59', '2026-01-31T23:59:00'],
  ['timestamp', '2026-01-31T23:59:59.5', '2026-01-31T23:59:59.5'],
  ['timestamp_tz', '2026-01-31T23:59', '2026-01-31T23:59:00Z'],
  ['timestamp_tz', '2026-01-31T23:59:59.000001Z', '2026-01-31T23:59:59.000001Z'],
  ['timestamp_tz', '2026-01-31T23:59Z', '2026-01-31T23:59:00Z'],
  ['any', ' 1.0 ', 1],
  ['any', '"1"', '1'],
  ['any', 'soon', 'soon'],
  ['json', ' red ', 'red'],
  ['json', '1.50', 1.5],
  ['json', '"1.50"', '1.50'],
  ['json', 'true', true],
  ['json', '"true"', 'true'],
  ['json', '007', '007'],
  ['any', '{soon', '{soon'],
  ['vector', 'as typed', 'as typed'],
])('sends for the %s "%s" %j', (type, text, value) => {
  expect(operandValue(type, text)).toBe(value);
});

it.each([
  '1',
  '1.5',
  '"1"',
  '"9007199254740993"',
  '{"number":"9007199254740993"}',
  '"soon"',
  '" a"',
  '"\\"1\\""',
  '""',
  '"{}"',
  '{"bytes":"AP8="}',
])('types for %s of any type what is sent as that', (json) => {
  expect(operandValue('any', operandText('any', json))).toEqual(JSON.parse(json));
});

it.each(['json', 'any'])('sends for %s the digits that a JSON number would lose', (type) => {
  const digits = '9007199254740993';
  expect(operandValue(type, digits)).toEqual({ number: digits });
});
