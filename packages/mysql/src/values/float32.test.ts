import { describe, expect, it } from 'vitest';

import { shortestFloat } from './operands.ts';

/** The fewest digits by trying all decimals near the value, neighbours included. */
function reference(value: number): number {
  for (let digits = 1; digits < 9; digits++) {
    const unit = 10 ** (Math.floor(Math.log10(Math.abs(value))) - digits + 1);
    const nearest = Number(value.toPrecision(digits));
    const found = [
      nearest,
      Number((nearest + unit).toPrecision(digits)),
      Number((nearest - unit).toPrecision(digits)),
    ];
    const fit = found.filter((candidate) => Math.fround(candidate) === value);
    if (fit.length > 0) return fit[0] ?? value;
  }
  return Number(value.toPrecision(9));
}

function floatOf(bits: number): number {
  return new Float32Array(new Uint32Array([bits]).buffer)[0] ?? 0;
}

describe('the shortest digits of a 32-bit float', () => {
  it.each([
    [0.1, 0.1],
    [16777216, 16777216],
    [3.4028234663852886e38, 3.4028235e38],
    [2 ** -149, 1e-45],
    [2 ** -126, 1.1754944e-38],
    [0, 0],
    [-0, -0],
  ])('%j prints as %j', (value, shortest) => {
    expect(shortestFloat(Math.fround(value))).toBe(shortest);
  });

  it('read back to the same float, whatever its bits', () => {
    const values = Array.from({ length: 100_000 }, () =>
      floatOf(Math.floor(Math.random() * 2 ** 32)),
    ).filter(Number.isFinite);
    expect(values.filter((value) => Math.fround(shortestFloat(value)) !== value)).toEqual([]);
  });

  it('are the fewest for every power of two, where the floats below lie closer than those above', () => {
    for (let exponent = -149; exponent < 128; exponent++) {
      const value = 2 ** exponent;
      expect(String(shortestFloat(value)).length, `2^${exponent}`).toBeLessThanOrEqual(
        String(reference(value)).length,
      );
    }
  });
});
