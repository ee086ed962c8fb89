/** Reads a body piece by piece. */
export interface BodyReader {
  /** The next piece; undefined at the end. */
  readonly read: () => Promise<Uint8Array | undefined>;
  /** Closes the connection where the body has not ended. */
  readonly close: () => Promise<void>;
}

/**
 * Reads a body until its end or until the signal is aborted, whose reason is thrown then. Node
 * forgets the signal of a request once it has freed the memory of the request.
 */
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
