import { NetworkError, ProblemError } from '@proj/client';

/** Why the service does not take a token that its reader has pasted. */
export function whyNotAccepted(error: unknown): string {
  if (error instanceof ProblemError && error.status === 401)
    return 'The service does not accept this token. It may be mistyped, expired or revoked.';
  if (error instanceof ProblemError) return `The service answered ${error.status}. ${error.detail}`;
  if (error instanceof NetworkError)
    return 'The service did not answer. Check the connection and try again.';
  if (error instanceof TypeError)
    return 'A token has visible ASCII characters only, and no spaces. Leave out the word Bearer.';
  return error instanceof Error ? error.message : 'Something unforeseen went wrong.';
}
