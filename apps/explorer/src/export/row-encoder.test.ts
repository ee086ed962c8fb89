import { expect, it } from 'vitest';

import { rowAsJson, rowEncoder } from './row-encoder.ts';

const attributes = ['id', 'na"me', 'phone'];
const row = { id: '"9223372036854775807"', 'na"me': '"a, \\"b\\"\\nc"', phone: '[2.50,\n"x"]' };
const nothing = { id: '7', 'na"me': '""', phone: 'null' };

it('writes CSV that tells NULL from the empty text, and text from numbers', () => {
  const { head, row: line } = rowEncoder('csv', attributes);
  expect(head + line(row) + line(nothing)).toBe(
    '"id","na""me","phone"\r\n"9223372036854775807","a, ""b""\nc","[2.50,\n""x""]"\r\n7,"",\r\n',
  );
});

it('writes NDJSON with every value as it came, a line for a row', () => {
  const { head, row: line } = rowEncoder('ndjson', attributes);
  expect(head + line(row) + line(nothing)).toBe(
    '{"id":"9223372036854775807","na\\"me":"a, \\"b\\"\\nc","phone":[2.50, "x"]}\n{"id":7,"na\\"me":"","phone":null}\n',
  );
});

it('copies a row as one JSON object', () => {
  expect(rowAsJson(nothing)).toBe('{"id":7,"na\\"me":"","phone":null}');
});
