import { TimeoutError, type TimeLimits } from '../errors/timeout-error.ts';

/**
 * The result of work that may take as long as one attempt.
 *
 * @throws {TimeoutError} when it takes longer
 */
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
