import { setTimeout } from 'node:timers/promises';

/** Waits until a condition holds, by default far longer than it takes on a busy machine. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  timeoutMs = 60_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await holds())) {
    if (Date.now() > deadline)
      throw new Error(`Still not so after ${timeoutMs} ms: ${String(holds)}`);
    // What is waited for, such as another process, does not say when it is so.
    await setTimeout(10);
  }
}
