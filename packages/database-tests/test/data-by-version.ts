import { type Engine, EVERYTHING } from '@proj/engine';

/** What was read at each version, and the versions at which two reads differed. */
export class DataByVersion {
  readonly #data = new Map<string, string>();
  readonly differing: string[] = [];
  /** How many reads saw a version again. */
  seenAgain = 0;
  /** How many reads had no version. */
  without = 0;

  /** Notes what a read saw. */
  note(version: string | undefined, data: string): void {
    const known = version === undefined ? undefined : this.#data.get(version);
    if (version === undefined) this.without += 1;
    else if (known === undefined) this.#data.set(version, data);
    else {
      this.seenAgain += 1;
      if (known !== data) this.differing.push(`${version}: ${known} and ${data}`);
    }
  }

  get versions(): number {
    return this.#data.size;
  }

  /** How many reads there were. */
  get reads(): number {
    return this.versions + this.seenAgain + this.without;
  }

  /** Reads all of a model again and again, until the signal aborts; what fails is read again. */
  async readWith(engine: Engine, model: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const body = {
        query_model: model,
        query_attributes: ['id', 'n'],
        page: { page: 1, size: 1000 },
      };
      const answer = await engine.query(body, EVERYTHING).catch(() => undefined);
      if (answer !== undefined) this.note(answer.version, answer.result);
    }
  }
}
