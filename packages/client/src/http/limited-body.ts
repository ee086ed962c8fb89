import { InvalidReplyError } from '../errors/invalid-reply-error.ts';

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
