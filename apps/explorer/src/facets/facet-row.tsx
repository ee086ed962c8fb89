import { groupDigits } from '@proj/contract';
import type { ComponentChildren } from 'preact';

interface FacetRowProps {
  readonly label: ComponentChildren;
  readonly count: bigint;
  /** The largest count beside it, which has the whole width. */
  readonly largest: bigint;
  readonly isChosen: boolean;
  /** Undefined where the attribute cannot be filtered so. */
  readonly onToggle: (() => void) | undefined;
}

/** A value or a range with how many records have it. */
export function FacetRow({ label, count, largest, isChosen, onToggle }: FacetRowProps) {
  const width = largest === 0n ? 0 : Number((count * 1000n) / largest);
  return (
    <li>
      <button
        type="button"
        class="facet-row"
        aria-pressed={isChosen}
        disabled={onToggle === undefined}
        onClick={onToggle}
      >
        <svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
          <rect width={width} height="10" />
        </svg>
        <span class="label">{label}</span>
        <span class="total">{groupDigits(count)}</span>
      </button>
    </li>
  );
}
