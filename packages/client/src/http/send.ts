import { InvalidReplyError } from '../errors/invalid-reply-error.ts';
import { NetworkError } from '../errors/network-error.ts';
import { readLimited } from './limited-body.ts';
import type { Settings } from './settings.ts';

export interface SendSettings extends Settings {
  /** Leaves the body to be read, however long it is. Default: false. */
  readonly streams?: boolean;
}

/**
 * Sends one request. The token is added only here: errors of ky contain the request, and so never
 * the token.
 *
 * @throws {NetworkError} when no complete reply arrives.
 * @throws {InvalidReplyError} when the reply is too long.
 */
export async function send(
  request: Request,
  token: string,
  { fetch, maxReplyBytes, streams }: SendSettings,
): Promise<Response> {
  request.headers.set('authorization', `Bearer ${token}`);
  try {
    const response = await fetch(request);
    // Ky reads the body of an error, up to a limit.
    return response.ok && response.body && !streams
      ? new Response(await readLimited(response.body, maxReplyBytes), response)
      : response;
  } catch (cause) {
    if (cause instanceof InvalidReplyError) throw cause;
    throw new NetworkError(request.url, { cause });
  }
}
