import { TimeoutError, type TimeLimits } from '../errors/timeout-error.ts';

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
