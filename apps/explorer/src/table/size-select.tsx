import type { RequestError } from '@proj/client';
import { groupDigits } from '@proj/contract';
import { useId } from 'preact/hooks';

import { ErrorList } from '../controls/error-list.tsx';
import { changeView } from '../state/view/view-store.ts';

interface SizeSelectProps {
  readonly size: number;
  readonly maxSize: number;
  readonly errors: readonly RequestError[];
}

const SIZES = [10, 20, 50, 100, 200, 500, 1000];

/** How many records a page has. A size that is not among the choices, as of an address, stays. */
export function SizeSelect({ size, maxSize, errors }: SizeSelectProps) {
  const id = useId();
  const sizes = [...new Set([...SIZES.filter((choice) => choice <= maxSize), size])].toSorted(
    (a, b) => a - b,
  );
  return (
    <>
      <span class="size">
        <label for={`${id}-size`}>Records per page</label>
        <select
          id={`${id}-size`}
          value={size}
          aria-invalid={errors.length > 0}
          aria-describedby={id}
          onChange={(event) => changeView({ size: Number(event.currentTarget.value) })}
        >
          {sizes.map((choice) => (
            <option key={choice} value={choice}>
              {groupDigits(choice)}
            </option>
          ))}
        </select>
      </span>
      <ErrorList id={id} errors={errors} />
    </>
  );
}
