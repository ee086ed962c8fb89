import { expect, it } from 'vitest';

import { layOut } from './reference-layout.ts';

const model = (name: string, ...refersTo: string[]) => ({ name, refersTo });
const columns = (...models: ReturnType<typeof model>[]) => {
  const { boxes } = layOut(models);
  const places = [...new Set(boxes.map(({ x }) => x))].toSorted((a, b) => a - b);
  return Object.fromEntries(boxes.map(({ name, x }) => [name, places.indexOf(x)]));
};

it('puts each model right of all that refer to it', () => {
  expect(columns(model('a', 'b', 'c'), model('b', 'c'), model('c'), model('d', 'b'))).toEqual({
    a: 0,
    d: 0,
    b: 1,
    c: 2,
  });
});

it('draws an arrow for each reference, to the model itself and in circles too', () => {
  const { arrows, boxes, width, height } = layOut([model('a', 'a', 'b'), model('b', 'a', 'a')]);
  expect(arrows.map(({ from, to }) => `${from} ${to}`)).toEqual(['a a', 'a b', 'b a']);
  for (const box of boxes) {
    expect(box.x + box.width).toBeLessThanOrEqual(width);
    expect(box.y).toBeLessThan(height);
  }
});

it('has boxes that do not overlap', () => {
  const { boxes } = layOut([model('a', 'c'), model('b', 'c'), model('c')]);
  const [a, b] = boxes;
  expect(a?.x).toBe(b?.x);
  expect(Math.abs((a?.y ?? 0) - (b?.y ?? 0))).toBeGreaterThan(26);
});
