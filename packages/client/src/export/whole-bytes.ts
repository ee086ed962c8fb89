import { IncompleteExportError } from '../errors/incomplete-export-error.ts';
import { TimeoutError, type TimeLimits } from '../errors/timeout-error.ts';
import type { BodyReader } from '../http/body-reader.ts';
import { inTime } from '../http/in-time.ts';
import type { OpenedExport } from './open-export.ts';
import type { RecordCount } from './record-count.ts';

export interface ByteTerms extends Pick<OpenedExport, 'total' | 'url'> {
  readonly count: RecordCount;
  readonly limits: TimeLimits;
  readonly signal: AbortSignal | undefined;
}

/**
 * The bytes of an export as they come; ends only when all records have come.
 *
 * @throws {IncompleteExportError} in place of the end, where records are missing
 * @throws {TimeoutError} when nothing comes for as long as an attempt may take
 */
export async function* wholeBytes(
  body: BodyReader,
  { total, url, count, limits, signal }: ByteTerms,
): AsyncGenerator<Uint8Array, void, undefined> {
  const next = async (): Promise<Uint8Array | undefined> => {
    try {
      return await inTime(body.read(), url, limits);
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof TimeoutError) throw cause;
      throw new IncompleteExportError({ received: count.records(), total }, { cause });
    }
  };
  try {
    for (let bytes = await next(); bytes !== undefined; bytes = await next()) {
      count.add(bytes);
      yield bytes;
    }
    if (count.records() !== total || !count.isAtEnd())
      throw new IncompleteExportError({ received: count.records(), total });
  } finally {
    // For consumers that stop early; after the end this does nothing.
    await body.close();
  }
}
