import { InvalidReplyError } from '../errors/invalid-reply-error.ts';
import { NetworkError } from '../errors/network-error.ts';
import { readLimited } from './limited-body.ts';
import type { Settings } from './settings.ts';

/**
 * Makes the function that ky calls for each attempt of one request. The token joins a copy of the
 * request here, so that ky's errors, which hold their request, never hold the token. A body is read
 * to its end here, so that ky repeats an attempt that breaks off.
 */
export function createAttempt(
  settings: Settings,
): (input: string | URL | Request) => Promise<Response> {
  let { renew } = settings.token;
  const perform = async (request: Request): Promise<Response> => {
    const once = renew;
    // Sending a request uses up its body.
    const spare = once && request.clone();
    const token = await settings.token.current();
    const response = await send(request, token, settings);
    if (response.status !== 401 || !once || !spare) return response;
    renew = null;
    await response.body?.cancel();
    return send(spare, await once(token), settings);
  };
  return async (input) => {
    const request = new Request(input);
    // Neither a token function nor a replaced fetch needs to honour the signal.
    return Promise.race([perform(request), aborted(request.signal)]);
  };
}

async function send(
  request: Request,
  token: string,
  { fetch, maxReplyBytes }: Settings,
): Promise<Response> {
  request.headers.set('authorization', `Bearer ${token}`);
  try {
    const response = await fetch(request);
    // Ky reads the body of an error, up to a limit.
    return response.ok && response.body
      ? new Response(await readLimited(response.body, maxReplyBytes), response)
      : response;
  } catch (cause) {
    if (cause instanceof InvalidReplyError) throw cause;
    throw new NetworkError(request.url, { cause });
  }
}

async function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
