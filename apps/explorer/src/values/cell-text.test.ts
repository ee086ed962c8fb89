import { expect, it } from 'vitest';

import { cellText } from './cell-text.ts';

it.each([
  ['null', 'text', 'null', 'NULL', 'NULL'],
  ['""', 'text', 'empty', 'empty text', ''],
  ['"NULL"', 'text', 'text', 'NULL', 'NULL'],
  ['"Z\\u00fcrich"', 'text', 'text', 'Zürich', 'Zürich'],
  ['"9223372036854775807"', 'int64', 'number', '9223372036854775807', '9223372036854775807'],
  ['"12.50"', 'decimal', 'number', '12.50', '12.50'],
  ['1e21', 'float64', 'number', '1e21', '1e21'],
  ['"NaN"', 'float64', 'number', 'NaN', 'NaN'],
  ['false', 'boolean', 'truth', 'false', 'false'],
  ['["EUR","CHE"]', 'json', 'folded', '[2] ["EUR","CHE"]', '["EUR","CHE"]'],
  ['{"a":{"b":2.50}}', 'json', 'folded', '{1} {"a":{"b":2.50}}', '{"a":{"b":2.50}}'],
  ['"a"', 'json', 'text', '"a"', '"a"'],
  ['2.50', 'json', 'text', '2.50', '2.50'],
])('shows %s of type %s as %s: %s', (json, type, ...[kind, shown, whole]) => {
  expect(cellText(json, type)).toMatchObject({ kind, shown, whole });
});

it.each([
  ['"one\\ntwo\\r\\nthree\\u2028four"', 'text', 'one↵two↵three↵four'],
  [String.raw`{"a":"Z\u00fcrich"}`, 'json', '{1} {"a":"Zürich"}'],
  [String.raw`"Z\u00fcrich"`, 'json', '"Zürich"'],
])('a cell shows %s of type %s on one line and with its letters: %s', (json, type, shown) => {
  expect(cellText(json, type).shown).toBe(shown);
});

it('cuts what is long in the cell, and keeps the whole', () => {
  const text = 'x'.repeat(1000);
  const { shown, whole } = cellText(JSON.stringify(text), 'text');
  expect(shown).toBe(`${'x'.repeat(160)}…`);
  expect(whole).toBe(text);
});

it('does not show half of a character where it cuts', () => {
  const { shown } = cellText(JSON.stringify(`${'x'.repeat(159)}😀y`), 'text');
  expect(shown.isWellFormed()).toBe(true);
});
