import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { arrayItems, indentJson, objectMembers } from './json-text.ts';

describe('the parts of a JSON text', () => {
  it('are those that JSON.parse sees', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.constantFrom(undefined, 1), (values, space) => {
        const parts = arrayItems(JSON.stringify(values, null, space));
        expect(parts.map((part): unknown => JSON.parse(part))).toEqual(
          JSON.parse(JSON.stringify(values)),
        );
      }),
    );
  });

  it('of an object have their names', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.constantFrom(undefined, 1),
        (object, space) => {
          const members = objectMembers(JSON.stringify(object, null, space));
          const read = members.map(({ name, value }): [string, unknown] => [
            name,
            JSON.parse(value),
          ]);
          expect(read).toEqual(Object.entries(JSON.parse(JSON.stringify(object)) as object));
        },
      ),
    );
  });

  it('keep digits that numbers lose, and the order of names', () => {
    expect(arrayItems('[2.50, 9007199254740993,1e400]')).toEqual([
      '2.50',
      '9007199254740993',
      '1e400',
    ]);
    expect(objectMembers('{"2":1.0,"1":{"a":"},]"}}')).toEqual([
      { name: '2', value: '1.0' },
      { name: '1', value: '{"a":"},]"}' },
    ]);
  });
});

describe('an indented JSON text', () => {
  it('looks like that of JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        // JSON.parse takes −0, which JSON.stringify does not write, from no text of its own.
        const text = JSON.stringify(value);
        expect(indentJson(text)).toBe(JSON.stringify(JSON.parse(text), null, 2));
      }),
    );
  });

  it('keeps the digits', () => {
    expect(indentJson('{"a":[2.50,{}]}')).toBe('{\n  "a": [\n    2.50,\n    {}\n  ]\n}');
  });
});
