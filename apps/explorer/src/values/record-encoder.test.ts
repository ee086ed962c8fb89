import type { AttributeEntry } from '@proj/client';
import { expect, it } from 'vitest';

import {
  type EncoderOptions,
  recordAsJson,
  type RecordEncoder,
  recordEncoder,
} from './record-encoder.ts';

const attribute = (name: string, type: string): AttributeEntry => ({
  name,
  type,
  nullable: true,
  description: null,
  operators: [],
  sortable: true,
});
const attributes = [
  attribute('id', 'int64'),
  attribute('na"me', 'text'),
  attribute('phone', 'json'),
];
const record = { id: '"9223372036854775807"', 'na"me': '"a, \\"b\\"\\nc"', phone: '[2.50,\n"x"]' };
const nothing = { id: '7', 'na"me': '""', phone: 'null' };
const formula = { id: '"-7"', 'na"me': '"=1+1"', phone: '-2.50' };

function encoderOf(options: EncoderOptions): RecordEncoder {
  const encoder = recordEncoder(attributes, options);
  if (encoder === null) throw new Error('It has none.');
  return encoder;
}

it('writes CSV that distinguishes NULL from the empty text, with every digit', () => {
  const { head, record: line } = encoderOf({ format: 'csv', guardFormulas: false });
  expect(head + line(record) + line(nothing) + line(formula)).toBe(
    'id,"na""me",phone\r\n9223372036854775807,"a, ' +
      '""b""\nc","[2.50,\n""x""]"\r\n7,"",\r\n-7,=1+1,-2.50\r\n',
  );
});

it('puts an apostrophe before formulas in CSV when asked, and changes no number', () => {
  const { record: line } = encoderOf({ format: 'csv', guardFormulas: true });
  expect(line(formula)).toBe("-7,'=1+1,-2.50\r\n");
});

it('writes JSON lines with every value as it came, a line for a record', () => {
  const { head, record: line } = encoderOf({ format: 'jsonl', guardFormulas: true });
  expect(head + line(record) + line(nothing)).toBe(
    '{"id":"9223372036854775807","na\\"me":"a, \\"b\\"\\nc","phone":[2.50, ' +
      '"x"]}\n{"id":7,"na\\"me":"","phone":null}\n',
  );
});

it('copies a record as one JSON object', () => {
  expect(recordAsJson(nothing)).toBe('{"id":7,"na\\"me":"","phone":null}');
});
