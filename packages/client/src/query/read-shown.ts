import { ProblemError } from '../errors/problem-error.ts';
import type { ServiceReply, Transport, ServiceRequest } from '../http/transport.ts';
import type { RequestOptions } from '../options/request-options.ts';
import { isPosition, type ShownPositions } from './shown-positions.ts';

export interface ReadShownParts {
  readonly transport: Transport;
  readonly shown: ShownPositions;
  /** Adds the positions of replies to those that the caller asks for. */
  readonly monotonic: boolean;
}

export interface ShownReply {
  readonly body: unknown;
  readonly dataVersion: string | null;
  readonly dataAge: number | null;
  readonly isApproximate: boolean;
}

/** Sends a request that asks for a state no older than any shown before. */
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

/** Ignores a header that a proxy garbled. */
function positionOf(headers: Headers): string | null {
  const position = headers.get('data-position');
  return position !== null && isPosition(position) ? position : null;
}

/** Ignores a header that a proxy garbled. */
export function dataVersionOf(headers: Headers): string | null {
  const version = headers.get('data-version');
  return version !== null && /^[\w-]{1,64}$/.test(version) ? version : null;
}

function dataAgeOf(headers: Headers): number | null {
  const age = headers.get('data-age');
  return age !== null && /^\d{1,9}(\.\d{1,3})?$/.test(age) ? Number(age) : null;
}
