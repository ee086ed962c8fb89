/** Numbers from 0 up to 1, evenly spread, the same for the same seed. */
export type Random = () => number;

/** Mulberry32: one 32-bit state, quick, and good enough for arrivals and choices. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The time to the next of events that come independently of each other, so many per unit. */
export function nextGap(random: Random, rate: number): number {
  return -Math.log(1 - random()) / rate;
}

/** Picks from 0 up to a count, the n-th in proportion to 1/n, as callers pick among lists. */
export function zipfPicker(random: Random, count: number): () => number {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let index = 0; index < count; index++) sums[index] = sum += 1 / (index + 1);
  return () => {
    const wanted = random() * sum;
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sums[middle] ?? 0) > wanted) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}
