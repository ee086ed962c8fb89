import { NetworkError } from './errors/network-error.ts';
import type { Settings } from './options.ts';

/**
 * Makes the function that ky calls for each attempt. The token joins a copy of the request here, so that ky's errors, which
 * hold their request, never hold the token. A body is read to its end here, so that ky repeats an attempt that breaks off.
 */
export function createAttempt({ fetch, token }: Settings): (input: string | URL | Request) => Promise<Response> {
  return async (input) => {
    const request = new Request(input);
    const perform = async (): Promise<Response> => {
      request.headers.set('authorization', `Bearer ${await token()}`);
      return readToEnd(request, fetch);
    };
    // Neither a token function nor a replaced fetch needs to honour the signal.
    return Promise.race([perform(), aborted(request.signal)]);
  };
}

async function readToEnd(request: Request, fetch: Settings['fetch']): Promise<Response> {
  try {
    const response = await fetch(request);
    // The body of an error is left to ky, which reads a limited part of it.
    return response.ok && response.body ? new Response(await response.arrayBuffer(), response) : response;
  } catch (cause) {
    throw new NetworkError(request.url, { cause });
  }
}

async function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
