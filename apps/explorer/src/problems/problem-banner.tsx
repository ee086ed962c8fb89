import { NetworkError, ProblemError, TimeoutError } from '@proj/client';

import { namedDetail } from '../controls/error-detail.ts';
import { ErrorList } from '../controls/error-list.tsx';
import { ProviderAwayError } from '../session/provider-away-error.ts';
import { errorPlace } from '../state/filter/error-place.ts';
import type { ViewState } from '../state/view-state.ts';

interface ProblemBannerProps {
  readonly error: Error;
  readonly view: ViewState;
  /** Whether records that were read before are on the page. */
  readonly hasView: boolean;
  readonly onRetry: () => void;
}

/**
 * What went wrong with the view. Errors that belong to a control are shown there too; the rest only
 * here.
 */
export function ProblemBanner({ error, view, hasView, onRetry }: ProblemBannerProps) {
  return (
    <div class="banner problem" role="alert">
      {error instanceof ProblemError ? (
        <Problem problem={error} view={view} />
      ) : (
        <p>{explain(error, hasView)}</p>
      )}
      <button type="button" onClick={onRetry}>
        Retry
      </button>
    </div>
  );
}

function Problem({ problem, view }: { readonly problem: ProblemError; readonly view: ViewState }) {
  const { status, code, detail, errors, requestId, retryAfterMs } = problem;
  const unplaced = errors.filter(({ pointer }) =>
    ['request', 'model'].includes(errorPlace(pointer, view).control),
  );
  const placed = errors.length - unplaced.length;
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
          ? `. ${placed === 1 ? 'The error is' : `${placed} errors are`} marked at the control.`
          : `. ${detail}`}
        {retryAfterMs !== null && ` Retry after ${Math.ceil(retryAfterMs / 1000)} s.`}
      </p>
      <ErrorList errors={unplaced} explain={namedDetail} />
      {requestId !== null && <p class="hint">Request {requestId}</p>}
    </div>
  );
}

function explain(error: Error, hasView: boolean): string {
  if (error instanceof ProviderAwayError) return error.message;
  if (error instanceof NetworkError)
    return hasView
      ? 'The service did not answer. The records are those that were read last.'
      : 'The service did not answer.';
  if (error instanceof TimeoutError)
    return 'The service did not answer in time. Request less, or retry.';
  return error.message;
}
