import { groupDigits } from '@proj/contract';

import type { Bar, Distribution } from './distribution.ts';
import { shareText } from './share-text.ts';

interface BarsProps {
  readonly distribution: Distribution;
  readonly onChoose: (bar: Bar) => void;
}

/** The bars as a table: each with its count and its share, and a click keeps only its records. */
export function Bars({ distribution: { bars, total }, onChoose }: BarsProps) {
  const largest = largestOf(bars);
  return (
    <table class="bars">
      <thead class="sr-only">
        <tr>
          <th scope="col">Values</th>
          <th scope="col">Picture</th>
          <th scope="col">Records</th>
          <th scope="col">Share</th>
        </tr>
      </thead>
      <tbody>
        {bars.map((bar, index) => (
          <BarRow key={index} bar={bar} largest={largest} total={total} onChoose={onChoose} />
        ))}
      </tbody>
    </table>
  );
}

/** The largest count of a value or a range, which the bars are drawn by; at least 1. */
export function largestOf(bars: readonly Bar[]): bigint {
  const compared = bars.filter(({ conditions }) => conditions.length > 0);
  return (compared.length > 0 ? compared : bars).reduce(
    (most, { count }) => (count > most ? count : most),
    1n,
  );
}

interface BarRowProps {
  readonly bar: Bar;
  readonly largest: bigint;
  readonly total: bigint;
  readonly onChoose: (bar: Bar) => void;
}

function BarRow({ bar, largest, total, onChoose }: BarRowProps) {
  const { label, count, conditions } = bar;
  return (
    <tr>
      <th scope="row">
        {conditions.length === 0 ? (
          label
        ) : (
          <button
            type="button"
            class="link"
            title="Keep only these records"
            onClick={() => onChoose(bar)}
          >
            {label}
          </button>
        )}
      </th>
      <td class="picture">
        <svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
          <rect width={Math.min(1000, Number((count * 1000n) / largest))} height="10" />
        </svg>
      </td>
      <td class="number">{groupDigits(count)}</td>
      <td class="number">{shareText(count, total)}</td>
    </tr>
  );
}
