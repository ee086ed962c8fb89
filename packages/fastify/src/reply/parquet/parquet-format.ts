import type { Worker } from 'node:worker_threads';

import { EXPORT_FORMATS } from '@proj/contract';
import type { ExportedList, RecordLines } from '@proj/engine';

import type { ExportFormat } from '../export-format.ts';
import { misfit } from './misfit.ts';
import { startThread } from './start-thread.ts';
import type { EncoderReply, EncoderStep } from './thread-protocol.ts';

/** Encodes in a thread of its own, so as to hold up nobody else, one step at a time. */
export class ParquetFormat implements ExportFormat {
  readonly contentType = EXPORT_FORMATS.parquet.type;
  readonly #thread: Worker;
  #step: PromiseWithResolvers<Uint8Array> | undefined;
  #failure: unknown;

  constructor({ columns }: Pick<ExportedList, 'columns'>) {
    this.#thread = startThread(columns);
    this.#thread.on('message', (reply: EncoderReply) => this.#take(reply));
    this.#thread.on('error', (error) => this.#fail(error));
    this.#thread.on('exit', () => this.#fail(new Error('The thread that encodes has ended.')));
  }

  begin(): Promise<Uint8Array> {
    return this.#ask({ do: 'begin' });
  }

  add({ text }: RecordLines): Promise<Uint8Array> {
    return this.#ask({ do: 'add', text });
  }

  end(): Promise<Uint8Array> {
    return this.#ask({ do: 'end' });
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }

  async #ask(step: EncoderStep): Promise<Uint8Array> {
    if (this.#failure !== undefined) throw this.#failure;
    this.#step = Promise.withResolvers();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
    this.#thread.postMessage(step);
    return this.#step.promise;
  }

  #take(reply: EncoderReply): void {
    if ('bytes' in reply) this.#step?.resolve(reply.bytes);
    else this.#step?.reject(misfit(reply.misfit));
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#step?.reject(this.#failure);
  }
}
