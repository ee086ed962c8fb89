import { problemSchema } from '@proj/contract';
import { HTTPError, NetworkError as KyNetworkError, TimeoutError as KyTimeoutError } from 'ky';

import {
  InvalidReplyError,
  NetworkError,
  ProblemError,
  type TimeLimits,
  TimeoutError,
} from '../errors/errors.ts';
import { retryAfterMs } from './retry-policy.ts';

/** Translates errors of ky, and returns any other as it is. */
export function translateError(error: unknown, url: string, limits: TimeLimits): unknown {
  if (error instanceof HTTPError)
    return isRedirect(error.response) ? redirectError(error.response) : problemError(error);
  if (error instanceof KyTimeoutError) return new TimeoutError(url, limits);
  // Ky wraps network failures of the token function, too.
  if (error instanceof KyNetworkError) return new NetworkError(url, { cause: error.cause });
  return error;
}

/** A browser hides the status of a redirect that the client does not follow. */
function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

function redirectError({ status }: Response): InvalidReplyError {
  return new InvalidReplyError({
    pointer: '',
    expected: 'a reply from baseUrl itself',
    got:
      `a redirect (status ${status}), which is not followed so that the token stays here; set ` +
      'baseUrl to where it leads',
  });
}

function problemError({ response, data }: HTTPError): ProblemError {
  const reading = problemSchema.safeParse(data);
  const problem = reading.success ? reading.data : null;
  return new ProblemError({
    status: response.status,
    problem,
    requestId: problem?.request_id ?? response.headers.get('x-request-id'),
    retryAfterMs: retryAfterMs(response.headers),
  });
}
