import { setImmediate } from 'node:timers/promises';

/**
 * The version of a source's data, as far as this process knows it. Equal versions mean equal data;
 * what an old one means for a kept answer is decided by a check that began after the request
 * arrived.
 */
export class DataVersion {
  readonly #read: () => Promise<string | undefined>;
  #latest: string | undefined;
  #running: Promise<string | undefined> | undefined;
  #next: Promise<string | undefined> | undefined;

  /** @param read tells the version of the data at a moment after the call */
  constructor(read: () => Promise<string | undefined>) {
    this.#read = read;
  }

  /** Remembers a version that a reading brought. */
  observe(version: string | undefined): void {
    if (version !== undefined) this.#latest = version;
  }

  /** False when a later version is known already, so that asking the source is not worth it. */
  mayStand(version: string): boolean {
    return this.#latest === version;
  }

  /**
   * The version at a moment after the call. One check serves all who wait for it to begin.
   * Undefined when the source cannot tell.
   */
  check(): Promise<string | undefined> {
    this.#next ??= this.#start(this.#running);
    return this.#next;
  }

  async #start(running: Promise<unknown> | undefined): Promise<string | undefined> {
    await running;
    // Requests that arrived together are all read by then, and share the check.
    await setImmediate();
    this.#running = this.#next;
    this.#next = undefined;
    // A source that cannot be asked now will say so when it is asked for the page.
    const version = await this.#read().catch(() => undefined);
    this.observe(version);
    return version;
  }
}
