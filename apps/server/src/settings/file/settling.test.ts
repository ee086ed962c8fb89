import { describe, expect, it } from 'vitest';

import { Settling } from './settling.ts';

/** What is handed over, by its time, of content that is seen every 100 ms. */
function handedOver(contents: readonly string[], settling = new Settling('a')): number[] {
  return contents.flatMap((content, index) =>
    settling.observe(content, index * 100) ? [index * 100] : [],
  );
}

describe('changed content is handed over', () => {
  it('once it was seen twice alike, and then never again', () => {
    expect(handedOver(['a', 'b', 'b', 'b', 'b'])).toEqual([200]);
    expect(handedOver(['a', 'half', 'whole', 'whole'])).toEqual([300]);
  });

  it('within half a second although it keeps changing', () => {
    const contents = Array.from({ length: 20 }, (_, index) => `content ${index}`);
    const [first = Infinity, second = Infinity] = handedOver(contents);
    expect(first).toBeLessThan(500);
    expect(second - first).toBeLessThanOrEqual(500);
  });

  it('not at all where it is what is applied, or becomes that again', () => {
    expect(handedOver(['a', 'a', 'a'])).toEqual([]);
    expect(handedOver(['b', 'a', 'c', 'a', 'b', 'a'])).toEqual([]);
  });
});

describe('content that keeps changing and is refused', () => {
  it('is handed over less and less often, but at once when it settles', () => {
    const settling = new Settling('a');
    const times: number[] = [];
    for (let at = 0; at < 60_000; at += 100) {
      if (!settling.observe(`broken ${at}`, at)) continue;
      times.push(at);
      settling.conclude(false);
    }
    expect(times.length).toBeLessThan(10);
    expect(settling.observe('fixed', 60_000)).toBe(false);
    expect(settling.observe('fixed', 60_100)).toBe(true);
  });

  it('is handed over as often as before once it was applied', () => {
    const settling = new Settling('a');
    for (let turn = 0; turn < 5; turn++) settling.conclude(false);
    settling.conclude(true);
    expect(handedOver(['b', 'c', 'd', 'e', 'f', 'g'], settling)).toEqual([400]);
  });
});
