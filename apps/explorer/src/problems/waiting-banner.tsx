import { ProblemError } from '@proj/client';
import { useEffect, useState } from 'preact/hooks';

import { waitMs } from '../api/query-client.ts';

interface WaitingBannerProps {
  readonly reason: Error;
  /** How often the page was asked for so far; the wait may depend on it. */
  readonly failures: number;
  readonly onAskAgain: () => void;
}

/** Counts down to the next attempt. Give it a key that changes with each wait. */
export function WaitingBanner({ reason, failures, onAskAgain }: WaitingBannerProps) {
  const [until] = useState(() => Date.now() + waitMs(failures - 1, reason));
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  return (
    <div class="banner waiting">
      <p>
        <span role="status">{explain(reason)} The view stays as it is.</span> The page is asked for
        again in <b>{seconds} s</b>.
      </p>
      <button type="button" onClick={onAskAgain}>
        Ask now
      </button>
    </div>
  );
}

function explain(reason: Error): string {
  if (!(reason instanceof ProblemError)) return 'The service does not answer.';
  return reason.status === 429
    ? 'The service takes no more requests for the moment.'
    : `The service is not ready: ${reason.detail}`;
}
