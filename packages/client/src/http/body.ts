import { jsonPointer } from '@proj/contract';

import { describeValue } from '../errors/describe-value.ts';
import { InvalidReplyError, type TimeLimits, TimeoutError } from '../errors/errors.ts';

/** @throws {InvalidReplyError} when the body passes the limit; the rest is not read. */
export async function readLimited(
  body: ReadableStream<Uint8Array>,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    length += read.value.length;
    if (length > limit) {
      await reader.cancel();
      throw tooLong(limit);
    }
    chunks.push(read.value);
  }
  return joined(chunks, length);
}

function tooLong(limit: number): InvalidReplyError {
  const expected = `at most ${limit} bytes (maxReplyBytes)`;
  return new InvalidReplyError({ pointer: '', expected, got: 'more' });
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

export interface BodyReader {
  /** Undefined at the end. */
  readonly read: () => Promise<Uint8Array | undefined>;
  /** Closes the connection where the body has not ended. */
  readonly close: () => Promise<void>;
}

/** Throws the signal's reason: Node forgets the signal of a request whose memory it has freed. */
export function readBodyUntil(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): BodyReader {
  const reader = body.getReader();
  const cancel = async (): Promise<void> => reader.cancel().catch(() => undefined);
  const leave = (): void => void cancel();
  signal?.addEventListener('abort', leave, { once: true });
  if (signal?.aborted === true) leave();
  return {
    read: async () => {
      const { value } = await reader.read();
      if (value === undefined) signal?.throwIfAborted();
      return value;
    },
    close: async () => {
      signal?.removeEventListener('abort', leave);
      await cancel();
    },
  };
}

/** @throws {TimeoutError} when the work takes longer than one attempt may */
export async function inTime<Value>(
  work: Promise<Value>,
  url: string,
  limits: TimeLimits,
): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(url, limits)), limits.timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

interface Place {
  readonly pointer?: string;
  readonly within?: string;
  /** The media type that the service names. */
  readonly type?: string;
}

/** @throws {InvalidReplyError} when the text is not JSON. */
export function parseJson(text: string, { pointer = '', within = '', type = '' }: Place): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const got = `${text.length} characters ${type}that are not`;
    throw new InvalidReplyError({ pointer, expected: `a JSON text${within}`, got }, { cause });
  }
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly expected?: unknown;
  readonly input?: unknown;
}

interface Schema<Body> {
  safeParse(
    body: unknown,
    params: { readonly reportInput: true },
  ):
    | { readonly success: true; readonly data: Body }
    | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };
}

/** @throws {InvalidReplyError} at the first mismatch. */
export function readBody<Body>(schema: Schema<Body>, body: unknown): Body {
  const reading = schema.safeParse(body, { reportInput: true });
  if (reading.success) return reading.data;
  const { path = [], expected, input } = reading.error.issues[0] ?? {};
  throw new InvalidReplyError({
    pointer: jsonPointer(path),
    expected:
      typeof expected === 'string' ? `the type ${expected}` : 'a value that the contract allows',
    got: describeValue(input),
  });
}
