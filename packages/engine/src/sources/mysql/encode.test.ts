import type { WireType } from '@proj/contract';
import { describe, expect, it } from 'vitest';

import type { Field } from '../source.ts';
import { encodeRows } from './encode.ts';

function field(name: string, type: WireType, databaseType: string): Field {
  return { name, column: name, type, items: undefined, databaseType };
}

function encoded(type: WireType, databaseType: string, value: unknown): string {
  return encodeRows([[value]], [field('v', type, databaseType)]).slice('[{"v":'.length, -'}]'.length);
}

describe('rows as JSON text', () => {
  it('keep the order of the fields, escape their names, and end without the total', () => {
    const fields = [field('b"', 'int32', 'int'), field('2', 'text', 'text'), field('1', 'bytes', 'blob')];
    const rows = [
      [1, 'x', null, '9'],
      [null, '\n', Buffer.from([255]), '9'],
    ];
    expect(encodeRows(rows, fields)).toBe('[{"b\\"":1,"2":"x","1":null},{"b\\"":null,"2":"\\n","1":"/w=="}]');
    expect(encodeRows([], fields)).toBe('[]');
  });

  it.each<[WireType, string, unknown, string]>([
    ['float64', 'double', -0, '-0'],
    ['float64', 'float', -0, '-0'],
    ['float64', 'float unsigned', Math.fround(0.1), '0.1'],
    ['float64', 'double', Math.fround(0.1), '0.10000000149011612'],
    ['other', 'vector(2)', Buffer.from(new Float32Array([1, 0.1]).buffer), '"[1,0.1]"'],
    ['other', 'vector(2)', [1, Math.fround(0.1)], '"[1,0.1]"'],
    ['other', 'bit(12)', Buffer.from([0x0f, 0xff]), '"111111111111"'],
    ['json', 'json', '{"a": ', '"{\\"a\\": "'],
    ['json', 'json', '{"a": 1.0 }', '{"a":1.0}'],
    ['int64', 'bigint', 'say "5"', '"say \\"5\\""'],
    ['int32', 'int', Buffer.from('x'), '"eA=="'],
    ['timestamp', 'datetime', 'no " date', '"no \\" date"'],
    ['boolean', 'tinyint(1)', '1', '"1"'],
    ['decimal', 'decimal(4,2) unsigned zerofill', '00.50', '"0.50"'],
  ])('hold %s of %s: %j', (type, databaseType, value, json) => {
    expect(encoded(type, databaseType, value)).toBe(json);
  });
});
