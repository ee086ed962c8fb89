import { ProblemError } from '@proj/client';
import { useEffect, useState } from 'preact/hooks';

import { waitMs } from '../api/retries.ts';
import { ProviderAwayError } from '../session/provider-away-error.ts';

interface WaitingBannerProps {
  readonly reason: Error;
  /** How often the page was requested so far; the wait may depend on it. */
  readonly failures: number;
  /** Whether there is something on the page that stays as it is. */
  readonly hasView: boolean;
  readonly onRetry: () => void;
}

/** Counts down to the next attempt. Give it a key that changes with each wait. */
export function WaitingBanner({ reason, failures, hasView, onRetry }: WaitingBannerProps) {
  const [until] = useState(() => Date.now() + waitMs(failures - 1, reason));
  const now = useNow();
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  return (
    <div class="banner waiting">
      <p>
        <span role="status">
          {explain(reason)} {hasView ? 'The view stays as it is.' : 'Nothing was read yet.'}
        </span>
        {' The next attempt is in '}
        <b>{seconds} s</b>.
      </p>
      <button type="button" onClick={onRetry}>
        Retry now
      </button>
    </div>
  );
}

/** The time, twice a second. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  return now;
}

function explain(reason: Error): string {
  if (reason instanceof ProviderAwayError) return reason.message;
  if (!(reason instanceof ProblemError)) return 'The service does not answer.';
  return reason.status === 429
    ? 'The rate limit is reached.'
    : `The service is not ready: ${reason.detail}`;
}
