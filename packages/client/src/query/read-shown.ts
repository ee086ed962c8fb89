import { ProblemError } from '../errors/problem-error.ts';
import type { ServiceReply, Transport, ServiceRequest } from '../http/transport.ts';
import type { RequestOptions } from '../options/request-options.ts';
import { isPosition, type ShownPositions } from './shown-positions.ts';

/** What requests for queries and facets are sent with: each reply shows one state of the data. */
export interface ReadShownParts {
  readonly transport: Transport;
  /** The states that replies have to include. */
  readonly shown: ShownPositions;
  /**
   * Whether the positions of replies are added; otherwise only those that the caller has asked for
   * are sent.
   */
  readonly monotonic: boolean;
}

/** A reply, with the state of the data that it was read from. */
export interface ShownReply {
  /** The JSON value of the body. */
  readonly body: unknown;
  readonly dataVersion: string | null;
  readonly dataAge: number | null;
  readonly isApproximate: boolean;
}

/** Sends a request that asks for a state which includes all that was shown before. */
export async function readShown(
  { transport, shown, monotonic }: ReadShownParts,
  request: Pick<ServiceRequest, 'path' | 'body'>,
  { signal }: RequestOptions,
): Promise<ShownReply> {
  const send = async (headers: Readonly<Record<string, string>>): Promise<ServiceReply> =>
    transport({ ...request, headers, signal });
  const asked = shown.all;
  const { body, headers } = await sendBehind(shown, asked, send);
  if (monotonic) shown.noteReply(asked, positionOf(headers));
  return {
    body,
    dataVersion: dataVersionOf(headers),
    dataAge: dataAgeOf(headers),
    isApproximate: headers.get('data-state') === 'approximate',
  };
}

/** Asks for a state that includes some positions. */
async function sendBehind(
  shown: ShownPositions,
  asked: readonly string[],
  send: (headers: Readonly<Record<string, string>>) => Promise<ServiceReply>,
): Promise<ServiceReply> {
  if (asked.length === 0) return send({});
  try {
    return await send({ 'data-at-least': asked.join(', ') });
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'invalid_position') throw error;
    // The service has another database now, in which those positions mean nothing.
    shown.forget(asked);
    return send({});
  }
}

/** A header that a proxy garbled is not sent back. */
function positionOf(headers: Headers): string | null {
  const position = headers.get('data-position');
  return position !== null && isPosition(position) ? position : null;
}

/** A header that a proxy garbled says nothing. */
export function dataVersionOf(headers: Headers): string | null {
  const version = headers.get('data-version');
  return version !== null && /^[\w-]{1,64}$/.test(version) ? version : null;
}

function dataAgeOf(headers: Headers): number | null {
  const age = headers.get('data-age');
  return age !== null && /^\d{1,9}(\.\d{1,3})?$/.test(age) ? Number(age) : null;
}
