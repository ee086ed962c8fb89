import type { Field, WireType } from '@proj/engine/database';
import { describe, expect, it } from 'vitest';

import { encodeRows } from './encode.ts';

function field(name: string, type: WireType, databaseType: string): Field {
  return { name, column: name, type, items: undefined, databaseType };
}

function encoded(type: WireType, databaseType: string, value: unknown): string | undefined {
  const json = encodeRows([[value]], { fields: [field('v', type, databaseType)], maxBytes: 1000 });
  return json?.slice('[{"v":'.length, -'}]'.length);
}

describe('rows as JSON text', () => {
  it('keep the order of the fields, escape their names, and end without the total', () => {
    const fields = [
      field('b"', 'int32', 'int'),
      field('2', 'text', 'text'),
      field('1', 'bytes', 'blob'),
    ];
    const rows = [
      [1, 'x', null, '9'],
      [null, '\n', Buffer.from([255]), '9'],
    ];
    expect(encodeRows(rows, { fields, maxBytes: 1000 })).toBe(
      '[{"b\\"":1,"2":"x","1":null},{"b\\"":null,"2":"\\n","1":"/w=="}]',
    );
    expect(encodeRows([], { fields, maxBytes: 1000 })).toBe('[]');
  });

  it('are undefined where their text takes more bytes than it may, in UTF-8', () => {
    const fields = [field('v', 'text', 'text')];
    const rows = [['Zürich'], ['Genève']];
    const text = '[{"v":"Zürich"},{"v":"Genève"}]';
    const bytes = Buffer.byteLength(text);
    expect(encodeRows(rows, { fields, maxBytes: bytes })).toBe(text);
    expect(encodeRows(rows, { fields, maxBytes: bytes - 1 })).toBeUndefined();
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
    ['boolean', 'tinyint(1)', '1', 'true'],
    ['boolean', 'tinyint(1)', '2', '"2"'],
    ['int32', 'int', '-2147483648', '-2147483648'],
    ['int32', 'int', '007', '"007"'],
    ['int32', 'int', '2147483648', '"2147483648"'],
    ['int32', 'int', '', '""'],
    ['decimal', 'decimal(4,2) unsigned zerofill', '00.50', '"0.50"'],
  ])('hold %s of %s: %j', (type, databaseType, value, json) => {
    expect(encoded(type, databaseType, value)).toBe(json);
  });
});
