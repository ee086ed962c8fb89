import { expect, it } from 'vitest';

import { jsonMemberTexts } from './json-members.ts';

it('gives texts without quotes, NULL as null, and everything else as it is written', () => {
  const record =
    '{"a":"x","b,":null,"c":12.50,"d":9007199254740993,"e":true,' +
    '"f":["]",{"g":"}"}],"h":"a\\"b\\n\\u00e4","i":{},"j":"","k":-0}';
  expect(jsonMemberTexts(record)).toEqual([
    'x',
    null,
    '12.50',
    '9007199254740993',
    'true',
    '["]",{"g":"}"}]',
    'a"b\nä',
    '{}',
    '',
    '-0',
  ]);
});

it('gives what JSON.parse gives of any record', () => {
  const values = ['', '"', '\\', '\\"', ',', '}', '{"a":1}', 'null', 'ü\u0000', 'a\r\nb'];
  for (const one of values)
    for (const other of values) {
      const record = { [one]: other, [`${other} `]: [one, { [other]: one }], last: null };
      const texts = jsonMemberTexts(JSON.stringify(record));
      expect(texts).toEqual([other, JSON.stringify([one, { [other]: one }]), null]);
    }
});
