import { describeValue } from '../errors/describe-value.ts';
import { ProblemError } from '../errors/errors.ts';
import type { ServiceReply, ServiceRequest, Transport } from '../http/transport.ts';
import type { RequestOptions } from '../options/client-options.ts';

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
    const isOfCaller = asked.some((position) => shown.isIncluded(position));
    shown.forget(asked);
    if (isOfCaller) throw error;
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

/** The limit of a request; positions of the oldest replies go first. */
const MOST_POSITIONS = 64;

/** The states that a client was shown. A reply's position replaces those that its request sent. */
export class ShownPositions {
  #positions: readonly string[] = [];
  readonly #included = new Set<string>();

  get all(): readonly string[] {
    return this.#positions;
  }

  /** For a position that the caller asks for. */
  include(position: string): void {
    this.#included.add(position);
    this.#replace([], position);
  }

  isIncluded(position: string): boolean {
    return this.#included.has(position);
  }

  /** @param asked the positions that the request sent */
  noteReply(asked: readonly string[], position: string | null): void {
    if (position !== null) this.#replace(asked, position);
  }

  /** For positions that the service does not understand. */
  forget(asked: readonly string[]): void {
    this.#keep(this.#positions.filter((one) => !asked.includes(one)));
  }

  #replace(asked: readonly string[], position: string): void {
    const others = this.#positions.filter((one) => !asked.includes(one) && one !== position);
    this.#keep([...others, position].slice(-MOST_POSITIONS));
  }

  #keep(positions: readonly string[]): void {
    this.#positions = positions;
    for (const one of this.#included) if (!positions.includes(one)) this.#included.delete(one);
  }
}

function isPosition(text: string): boolean {
  return /^[\w@/.,-]{1,256}$/.test(text);
}

/** @throws {TypeError} when a text cannot be a position. */
export function readPosition(text: string): string {
  if (typeof text === 'string' && isPosition(text)) return text;
  throw new TypeError(
    `include: expected a position such as "0/16B3748" or "0-1-4711"; got ${describeValue(text)}`,
  );
}
