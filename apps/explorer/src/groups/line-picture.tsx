import type { ExactRecord } from '../values/exact-record.ts';
import { textOf } from '../values/cell-text.ts';
import { shortNumber } from '../values/short-text.ts';
import { type GroupColumn, numberIn } from './group-table.tsx';
import { lineThrough } from './line-points.ts';
import { periodText } from './period-text.ts';

interface LinePictureProps {
  /** The column of the times. */
  readonly time: GroupColumn;
  readonly drawn: GroupColumn;
  readonly groups: readonly ExactRecord[];
}

/** How a number goes through time. The table below it has every number of it. */
export function LinePicture({ time, drawn, groups }: LinePictureProps) {
  const times = groups.map((record) => textOf(record[time.name] ?? 'null'));
  const numbers = groups.map((record) => numberIn(record, drawn.name));
  const line = lineThrough(
    numbers.flatMap((value, index) => {
      const at = Date.parse(times[index] ?? '');
      return Number.isNaN(at) || value === undefined ? [] : { at, value };
    }),
  );
  if (line === undefined) return null;
  const { points, zero } = line;
  const largest = Math.max(...numbers.map((value) => value ?? -Infinity));
  const [first = '', last = ''] = [times, times.toReversed()].map((all) =>
    periodText(all.find((one) => one !== 'null') ?? '', time.unit),
  );
  return (
    <figure class="line">
      <svg
        viewBox="0 -0.04 1 1.04"
        preserveAspectRatio="none"
        role="img"
        aria-label={`${drawn.title} from ${first} to ${last}`}
      >
        <polygon points={`0,${zero} ${points} 1,${zero}`} />
        <polyline points={points} />
      </svg>
      <figcaption>
        <span>{first}</span>
        <span>
          {drawn.title}, up to {shortNumber(String(largest))}
        </span>
        <span>{last}</span>
      </figcaption>
    </figure>
  );
}
