import { backoff } from '../../../backoff.ts';
import type { WorkerHandle } from '../worker-handle.ts';

/** A worker that ends after so many milliseconds is started again at once. */
const LONG_LIFE_MS = 60_000;

/** How long to wait before a worker is started in place of one that has ended. */
export class RestartPauses {
  /** How often in a row a worker has ended soon after its start. */
  readonly #failures = new Map<number, number>();

  /** In milliseconds, longer each time that it ends soon. */
  after({ number, startedAt }: Pick<WorkerHandle, 'number' | 'startedAt'>): number {
    const isOld = performance.now() - startedAt > LONG_LIFE_MS;
    const failures = isOld ? 0 : (this.#failures.get(number) ?? 0);
    this.#failures.set(number, failures + 1);
    return failures === 0 ? 0 : Math.round(backoff(failures));
  }
}
