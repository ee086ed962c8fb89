import { NetworkError, ProblemError, TimeoutError } from '@proj/client';

import { FaultList } from '../controls/error-list.tsx';
import { faultPlace } from '../state/error-place.ts';
import type { ViewState } from '../state/view-state.ts';

interface ProblemBannerProps {
  readonly error: Error;
  readonly view: ViewState;
  readonly onAskAgain: () => void;
}

/**
 * What went wrong with the view. Faults that belong to a control are shown there too; the rest only
 * here.
 */
export function ProblemBanner({ error, view, onAskAgain }: ProblemBannerProps) {
  return (
    <div class="banner problem" role="alert">
      {error instanceof ProblemError ? (
        <Problem problem={error} view={view} />
      ) : (
        <p>{explain(error)}</p>
      )}
      <button type="button" onClick={onAskAgain}>
        Ask again
      </button>
    </div>
  );
}

function Problem({ problem, view }: { readonly problem: ProblemError; readonly view: ViewState }) {
  const { status, code, detail, faults, requestId, retryAfterMs } = problem;
  const unplaced = faults.filter(({ pointer }) =>
    ['request', 'model'].includes(faultPlace(pointer, view).control),
  );
  const placed = faults.length - unplaced.length;
  return (
    <div>
      <p>
        <strong>The service answered {status}</strong>
        {code !== null && (
          <>
            {' '}
            (
            <a href={`problems/${encodeURIComponent(code)}`} target="_blank" rel="noreferrer">
              {code}
            </a>
            )
          </>
        )}
        {placed > 0
          ? `. ${placed === 1 ? 'The fault is' : `${placed} faults are`} marked at the control.`
          : `. ${detail}`}
        {retryAfterMs !== null && ` It asks to wait ${Math.ceil(retryAfterMs / 1000)} s.`}
      </p>
      <FaultList faults={unplaced} />
      {requestId !== null && <p class="hint">Request {requestId}</p>}
    </div>
  );
}

function explain(error: Error): string {
  if (error instanceof NetworkError)
    return 'The service did not answer. The rows are those that came last.';
  if (error instanceof TimeoutError)
    return 'The service did not answer in time. Ask for less, or ask again.';
  return error.message;
}
