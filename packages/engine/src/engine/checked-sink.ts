import { waitOrAbort } from '../deadline.ts';
import type { ExportedList, ExportSink } from '../engine-types.ts';
import { QueryFailedError } from '../errors.ts';
import type { ListBeginning, ListSink, RecordLines } from '../sources/reads/whole-list.ts';

export interface ListTerms {
  readonly describe: (beginning: ListBeginning) => ExportedList;
  /** Aborts a wait for the caller when it disconnects or the time limit passes. */
  readonly signal: AbortSignal;
}

/** Across attempts, `begin` is called once, and as many records must follow as announced. */
export class CheckedSink {
  readonly #sink: ExportSink;
  #total: bigint | undefined;
  #records = 0n;
  #failure: { readonly error: unknown } | undefined;

  constructor(sink: ExportSink) {
    this.#sink = sink;
  }

  /** Once the caller knows of the list, nothing may be retried. */
  get isBegun(): boolean {
    return this.#total !== undefined;
  }

  listSink({ describe, signal }: ListTerms): ListSink {
    return {
      begin: (beginning) =>
        this.#noting(async () => {
          if (this.isBegun) throw cut('It was begun before.');
          this.#total = beginning.total;
          await waitOrAbort(this.#sink.begin(describe(beginning)), signal);
        }),
      write: (lines) =>
        this.#noting(async () => {
          this.#count(lines);
          await waitOrAbort(this.#sink.write(lines), signal);
        }),
    };
  }

  /** @throws {QueryFailedError} when records are missing */
  demandWhole(): void {
    if (this.#records !== this.#total)
      throw cut(`It has ${this.#records} records in place of ${this.#total}.`);
  }

  /** The error by which the sink ended the export; any other as it is. */
  explained(error: unknown): unknown {
    return this.#failure === undefined ? error : this.#failure.error;
  }

  #count({ records }: RecordLines): void {
    this.#records += BigInt(records);
    if (this.#records > (this.#total ?? 0n))
      throw cut(`It has more than the ${this.#total} records that were counted.`);
  }

  async #noting(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    }
  }
}

function cut(reason: string): QueryFailedError {
  return new QueryFailedError('database_unavailable', `The export cannot go on: ${reason}`);
}
