import { expect, it } from 'vitest';

import { parseFile } from '../source-file.ts';
import { functionsOf } from './functions.ts';

const measure = (text: string): ReturnType<typeof functionsOf> =>
  functionsOf(parseFile('example.ts', text));

it('measures declarations, methods, members and functions assigned to a name', () => {
  const text = `
    function declared() {}
    const arrow = () => {};
    const object = { member: () => {}, method() {} };
    class Example { constructor() {} method() {} get value() { return 1; } field = () => {}; }
  `;

  expect(measure(text)).toHaveLength(8);
});

it('counts a callback without a name as part of the function around it', () => {
  const text = `function sum(values) {
    return values.reduce((total, value) => {
      return total + value;
    });
  }`;

  expect(measure(text)).toEqual([{ lines: 5, parameters: 1, nesting: 0 }]);
});

it('passes over overloads and abstract methods', () => {
  const text = `
    function read(value: string): string;
    function read(value: string): string { return value; }
    abstract class Example { abstract method(): void; }
    declare function external(): void;
  `;

  expect(measure(text)).toHaveLength(1);
});

it('counts the lines from the first of a function to its last', () => {
  const text = `/** Not a line of the function. */
  export function three(
    value: string,
  ) {}`;

  expect(measure(text)).toMatchObject([{ lines: 3 }]);
});

it('counts an object that is taken apart as one parameter', () => {
  const text = 'const take = ({ one, two }, [three], four = 4, ...others) => {};';

  expect(measure(text)).toMatchObject([{ parameters: 4 }]);
});

it.each([
  ['if (a) { if (b) {} }', 2],
  ['if (a) {} else if (b) {} else if (c) {}', 1],
  ['if (a) {} else { if (b) {} }', 2],
  ['for (const a of b) { while (c) { try {} finally {} } }', 3],
  ['switch (a) { case 1: do {} while (b); }', 2],
  ['for (;;) {} for (const a in b) {}', 1],
  ['return list.map((a) => { if (a) {} });', 1],
])('counts what is around the innermost statement of `%s`', (body, nesting) => {
  expect(measure(`function example() { ${body} }`)).toMatchObject([{ nesting }]);
});

it('measures a named function inside another for itself', () => {
  const text = 'function outer() { if (a) { const inner = () => { if (b) {} }; } }';

  expect(measure(text)).toMatchObject([{ nesting: 1 }, { nesting: 1 }]);
});
