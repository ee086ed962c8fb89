import { setTimeout } from 'node:timers/promises';

/** Waits until a condition holds, far longer than it takes on a busy machine. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`Still not so after a minute: ${String(holds)}`);
    await setTimeout(10);
  }
}
