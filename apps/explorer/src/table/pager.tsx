import type { RequestFault } from '@proj/client';
import { groupDigits } from '@proj/contract';
import { lastPage } from '@proj/paging';
import { useEffect, useId, useState } from 'preact/hooks';

import { FaultList } from '../controls/error-list.tsx';
import { faultsAt } from '../state/error-place.ts';
import type { ViewState } from '../state/view-state.ts';
import { changeView } from '../state/view-store.ts';
import { rowRangeText } from './record-range.ts';
import type { LoadedPage } from '../state/use-page.ts';

interface PagerProps {
  readonly view: ViewState;
  readonly shown: LoadedPage | null;
  readonly isCurrent: boolean;
  readonly maxSize: number;
  readonly faults: readonly RequestFault[];
}

const SIZES = [10, 20, 50, 100, 200, 500, 1000];

/** Which rows are in sight, and the ways to others. */
export function Pager({ view, shown, isCurrent, maxSize, faults }: PagerProps) {
  const { page, size } = view;
  const faultsId = useId();
  const last = shown === null ? null : lastPage(shown.total, size);
  const atEnd = last === null || BigInt(page) >= last;
  const sizes = [...new Set([...SIZES.filter((choice) => choice <= maxSize), size])].toSorted(
    (a, b) => a - b,
  );
  const sizeFaults = faultsAt(faults, view, 'size');
  return (
    <nav class="pager" aria-label="Pages">
      <p class="range" role="status">
        {shown !== null && isCurrent
          ? rowRangeText({ page, size, total: shown.total })
          : 'loading …'}
      </p>
      <div class="turns">
        <TurnButton label="First page" symbol="«" disabled={page === 1} onClick={() => turn(1)} />
        <TurnButton
          label="Previous page"
          symbol="‹"
          disabled={page === 1}
          onClick={() => turn(page - 1)}
        />
        <PageJump key={page} page={page} last={last} faults={faultsAt(faults, view, 'page')} />
        <TurnButton label="Next page" symbol="›" disabled={atEnd} onClick={() => turn(page + 1)} />
        <TurnButton
          label="Last page"
          symbol="»"
          disabled={
            last === null || BigInt(page) === last || last > BigInt(Number.MAX_SAFE_INTEGER)
          }
          onClick={() => turn(Number(last))}
        />
      </div>
      <span class="size">
        <label for={`${faultsId}-size`}>Rows per page</label>
        <select
          id={`${faultsId}-size`}
          value={size}
          aria-invalid={sizeFaults.length > 0}
          aria-describedby={faultsId}
          onChange={(event) => changeView({ size: Number(event.currentTarget.value) })}
        >
          {sizes.map((choice) => (
            <option key={choice} value={choice}>
              {groupDigits(choice)}
            </option>
          ))}
        </select>
      </span>
      <FaultList id={faultsId} faults={sizeFaults} />
    </nav>
  );
}

function turn(target: number): void {
  changeView({ page: target });
}

interface TurnButtonProps {
  readonly label: string;
  readonly symbol: string;
  readonly disabled: boolean;
  readonly onClick: () => void;
}

function TurnButton({ label, symbol, disabled, onClick }: TurnButtonProps) {
  return (
    <button type="button" aria-label={label} title={label} disabled={disabled} onClick={onClick}>
      {symbol}
    </button>
  );
}

interface PageJumpProps {
  readonly page: number;
  readonly last: bigint | null;
  readonly faults: readonly RequestFault[];
}

/** The number of the page, to be read and to be changed. */
function PageJump({ page, last, faults }: PageJumpProps) {
  const [text, setText] = useState(String(page));
  const id = useId();
  const target = Number(text);
  const isValid = /^\d+$/.test(text.trim()) && target >= 1 && Number.isSafeInteger(target);
  useEffect(() => setText(String(page)), [page]);
  return (
    <form
      class="jump"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isValid && target !== page) changeView({ page: target });
      }}
    >
      <label for={`${id}-page`}>Page</label>
      <input
        id={`${id}-page`}
        inputMode="numeric"
        size={Math.max(4, text.length)}
        value={text}
        aria-invalid={!isValid || faults.length > 0}
        aria-describedby={`${id}-fault`}
        onInput={(event) => setText(event.currentTarget.value)}
        onBlur={() => setText(String(page))}
      />
      <span>of {last === null ? '…' : groupDigits(last)}</span>
      <span id={`${id}-fault`} class="fault-note" role="alert">
        {isValid ? '' : 'A page is a whole number from 1.'}
      </span>
      <FaultList faults={faults} />
    </form>
  );
}
