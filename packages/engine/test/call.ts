import { withDeadline } from '../src/deadline.ts';
import type { ReadCall } from '../src/sources/source.ts';

/** What a test says of a read. */
export interface TestCall extends Pick<ReadCall, 'callers' | 'shape' | 'waitedMs'> {
  /** Default: nobody disconnects. */
  readonly signal?: AbortSignal | undefined;
  /** Default: ten seconds. */
  readonly timeoutMs?: number;
}

/** A call whose deadline outlives the read. */
export function callOf({ signal, timeoutMs = 10_000, ...rest }: TestCall = {}): ReadCall {
  let call: ReadCall | undefined;
  void withDeadline({ signal, timeoutMs }, (deadline) => {
    call = { ...rest, ...deadline };
    return new Promise(() => undefined);
  });
  if (call === undefined) throw new Error('A deadline begins at once.');
  return call;
}
