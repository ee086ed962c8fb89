import type { BytesLog } from '../../../log/process-log.ts';

/** Holds lines back until what an operator should read first is printed. */
export class HeldLines implements BytesLog {
  readonly #log: BytesLog;
  #held: Uint8Array[] | undefined = [];

  constructor(log: BytesLog) {
    this.#log = log;
  }

  writeBytes(lines: Uint8Array): void {
    if (this.#held === undefined) this.#log.writeBytes(lines);
    else this.#held.push(lines);
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const lines of held) this.#log.writeBytes(lines);
  }
}
