import type { RequestError } from '@proj/client';
import { groupDigits } from '@proj/contract';
import { lastPage } from '@proj/paging';
import { useId } from 'preact/hooks';

import { useDraft } from '../controls/before-next-event.ts';
import { ErrorList } from '../controls/error-list.tsx';
import { SteadyButton } from '../controls/steady-button.tsx';
import { errorsAt } from '../state/filter/error-place.ts';
import type { ViewState } from '../state/view-state.ts';
import { changeView } from '../state/view/view-store.ts';
import { recordRangeText } from './record-range.ts';
import { SizeSelect } from './size-select.tsx';
import type { Count } from '../state/use-count.ts';
import type { LoadedPage } from '../state/use-page.ts';

interface PagerProps {
  readonly view: ViewState;
  readonly shown: LoadedPage | null;
  readonly isCurrent: boolean;
  /** What is said in place of the records while those of the view are not there. */
  readonly missing: string;
  /** The count beside the page, where there is one. */
  readonly count: Count | null;
  readonly maxSize: number;
  readonly errors: readonly RequestError[];
}

/** Which records are shown, and the buttons to other pages. */
export function Pager({ view, shown, isCurrent, missing, count, maxSize, errors }: PagerProps) {
  const { page, size } = view;
  const total = shown?.total ?? null;
  const last = total === null ? null : lastPage(total, size);
  const atEnd = last === null ? shown?.hasNext !== true : BigInt(page) >= last;
  return (
    <nav class="pager" aria-label="Pages">
      <p class="range" role="status">
        {shown !== null && isCurrent
          ? recordRangeText({ page, size, total, count: shown.records.length })
          : missing}
        {total === null && count !== null && (
          <span class="count">{count.isFailed ? ' (not counted)' : ' counting …'}</span>
        )}
      </p>
      <div class="turns">
        <TurnButton label="First page" symbol="«" isOff={page === 1} onClick={() => turn(1)} />
        <TurnButton
          label="Previous page"
          symbol="‹"
          isOff={page === 1}
          onClick={() => turn(page - 1)}
        />
        <PageJump page={page} last={last} errors={errorsAt(errors, view, 'page')} />
        <TurnButton label="Next page" symbol="›" isOff={atEnd} onClick={() => turn(page + 1)} />
        <TurnButton
          label="Last page"
          symbol="»"
          isOff={last === null || BigInt(page) === last || last > BigInt(Number.MAX_SAFE_INTEGER)}
          onClick={() => turn(Number(last))}
        />
      </div>
      <SizeSelect size={size} maxSize={maxSize} errors={errorsAt(errors, view, 'size')} />
    </nav>
  );
}

function turn(target: number): void {
  changeView({ page: target });
}

interface TurnButtonProps {
  readonly label: string;
  readonly symbol: string;
  readonly isOff: boolean;
  readonly onClick: () => void;
}

function TurnButton({ label, symbol, isOff, onClick }: TurnButtonProps) {
  return (
    <SteadyButton aria-label={label} title={label} isOff={isOff} onClick={onClick}>
      {symbol}
    </SteadyButton>
  );
}

interface PageJumpProps {
  readonly page: number;
  readonly last: bigint | null;
  readonly errors: readonly RequestError[];
}

/** The number of the page, to be read and to be changed. */
function PageJump({ page, last, errors }: PageJumpProps) {
  const [text, setText] = useDraft(String(page));
  const id = useId();
  const target = Number(text);
  const isValid = /^\d+$/.test(text.trim()) && target >= 1 && Number.isSafeInteger(target);
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
        aria-invalid={!isValid || errors.length > 0}
        aria-describedby={`${id}-error`}
        onInput={(event) => setText(event.currentTarget.value)}
        onBlur={() => setText(String(page))}
      />
      <span>of {last === null ? '…' : groupDigits(last)}</span>
      <span id={`${id}-error`} class="error-note" role="alert">
        {isValid ? '' : 'A page is a whole number from 1.'}
      </span>
      <ErrorList errors={errors} />
    </form>
  );
}
