// Node 22 lacks a name of it that only a single executable application uses.
import sea from 'node:sea';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

import { EXPORT_FORMATS } from '@proj/contract';
import type { ExportedColumn, ExportedList, RecordLines } from '@proj/engine';

import { HttpProblem } from '../../endpoint/problems.ts';

/** Asks for the next bytes of the file, with the lines of records to add. */
export type EncoderStep = readonly [step: 'begin' | 'add' | 'end', lines?: string];

/** The bytes, or the attribute whose column cannot hold a value. */
export type EncoderReply = Uint8Array<ArrayBuffer> | string;

/** Values live for one row group; more room costs a thread some 50 MB. */
const LIMITS = { maxYoungGenerationSizeMb: 16 };

// `.ts` when the sources run as they are, `.js` when built.
const FILE = new URL(`./parquet-thread${extname(import.meta.url)}`, import.meta.url);

/** The thread's program in a single executable application, which has no files. */
const BUILT_IN = '@proj/server/dist/program/parquet-thread.cjs';

function startThread(columns: readonly ExportedColumn[]): Worker {
  const options = { workerData: columns, resourceLimits: LIMITS };
  if (!sea.isSea()) return new Worker(FILE, options);
  return new Worker(sea.getAsset(BUILT_IN, 'utf8'), { ...options, eval: true });
}

/** Encodes in a thread of its own, so as to hold up nobody else, one step at a time. */
export class ParquetFormat {
  readonly contentType = EXPORT_FORMATS.parquet.type;
  readonly #thread: Worker;
  #step: PromiseWithResolvers<Uint8Array> | undefined;
  #failure: unknown;

  /** @throws {HttpProblem} where a column is known to have values that it cannot hold */
  constructor({ columns, misfit: known }: Pick<ExportedList, 'columns' | 'misfit'>) {
    if (known !== undefined) throw misfit(known);
    this.#thread = startThread(columns);
    this.#thread.on('message', (reply: EncoderReply) => this.#take(reply));
    this.#thread.on('error', (error) => this.#fail(error));
    this.#thread.on('exit', () => this.#fail(new Error('The thread that encodes has ended.')));
  }

  begin(): Promise<Uint8Array> {
    return this.#ask('begin');
  }

  add({ text }: RecordLines): Promise<Uint8Array> {
    return this.#ask('add', text);
  }

  end(): Promise<Uint8Array> {
    return this.#ask('end');
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }

  async #ask(...step: EncoderStep): Promise<Uint8Array> {
    if (this.#failure !== undefined) throw this.#failure;
    this.#step = Promise.withResolvers();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
    this.#thread.postMessage(step);
    return this.#step.promise;
  }

  #take(reply: EncoderReply): void {
    if (typeof reply === 'string') this.#step?.reject(misfit(reply));
    else this.#step?.resolve(reply);
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#step?.reject(this.#failure);
  }
}

/** Values do not belong in logs. */
function misfit(attribute: string): HttpProblem {
  return new HttpProblem(
    'data_error',
    `The attribute ${JSON.stringify(attribute)} has a value that its column of a Parquet file ` +
      'cannot hold. Export it as CSV or JSON lines, or leave such values out by a filter.',
  );
}
