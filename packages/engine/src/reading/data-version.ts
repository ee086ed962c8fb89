import { setImmediate } from 'node:timers/promises';

/**
 * The version of a source's data, as far as this process knows it. Equal versions mean equal data;
 * whether something that is kept is current is decided by a check that began after the request
 * arrived.
 */
export class DataVersion {
  readonly #read: () => Promise<string | undefined>;
  #latest: string | undefined;
  #running: Promise<string | undefined> | undefined;
  #next: Promise<string | undefined> | undefined;

  /** @param read reads the version of the data at a moment after the call */
  constructor(read: () => Promise<string | undefined>) {
    this.#read = read;
  }

  /** Notes a version that was read together with data. */
  observe(version: string | undefined): void {
    if (version !== undefined) this.#latest = version;
  }

  /** False when another version was seen since, so that a check is not worth it. */
  mayBeCurrent(version: string): boolean {
    return this.#latest === version;
  }

  /**
   * The version at a moment after the call. One check serves all who wait for it to begin.
   * Undefined when the source cannot report one.
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
    // What keeps the source from answering is reported when it is asked for the page.
    const version = await this.#read().catch(() => undefined);
    this.observe(version);
    return version;
  }
}
