import { expect, it } from 'vitest';

import { readableJson } from './readable-json.ts';

it.each([
  [String.raw`{"city":"Z\u00fcrich"}`, '{"city":"Zürich"}'],
  [String.raw`"\u6771\u4EAC"`, '"東京"'],
  [String.raw`"\ud83d\uDE00"`, '"😀"'],
  ['"Zürich"', '"Zürich"'],
])('letters of JSON are shown in place of their escapes: %s', (json, shown) => {
  expect(readableJson(json)).toBe(shown);
  expect(JSON.parse(shown)).toEqual(JSON.parse(json));
});

it.each([
  String.raw`"\u0022\u005c"`,
  String.raw`"\u0000\u001b\u200b\u202e\u00a0\u2028"`,
  String.raw`"\\u00fc"`,
  String.raw`"\ud83d\u0041 \ude00"`,
  String.raw`"\n\t\""`,
])('escapes of JSON that no letter can stand in for are kept: %s', (json) => {
  const shown = readableJson(json);
  expect(JSON.parse(shown)).toEqual(JSON.parse(json));
  expect(shown.replace('A', String.raw`\u0041`)).toBe(json);
});
