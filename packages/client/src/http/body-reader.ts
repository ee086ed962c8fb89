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
