import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

import { EXPORT_FORMATS } from '@proj/contract';
import type { ExportedColumn, ExportedList, RecordLines } from '@proj/engine';

import { HttpProblem } from '../../endpoint/problems.ts';
import type { EncoderReply, ParquetEncoder } from './parquet-encoder.ts';

/** Asks for the next bytes of the file, with the lines of records to add. */
export type EncoderStep = readonly [step: keyof ParquetEncoder, lines?: string];

/** Values live for one row group; more room costs a thread some 50 MB. */
const LIMITS = { maxYoungGenerationSizeMb: 16 };

// `.ts` when the sources run as they are, `.js` when built.
const FILE = new URL(`./parquet-thread${extname(import.meta.url)}`, import.meta.url);

/** The thread's program in a single executable application, which has no files. */
const BUILT_IN = '@proj/server/dist/program/parquet-thread.cjs';

function startThread(columns: readonly ExportedColumn[]): Worker {
  const options = { workerData: columns, resourceLimits: LIMITS };
  // Not imported: Bun has no such module.
  const sea = process.getBuiltinModule('node:sea');
  if (!sea?.isSea()) return new Worker(FILE, options);
  return new Worker(sea.getAsset(BUILT_IN, 'utf8'), { ...options, eval: true });
}

/**
 * Encodes in a thread of its own, so as to hold up nobody else, one step at a time.
 *
 * @throws {HttpProblem} where a column is known to have values that it cannot hold
 */
export function parquetFormat({
  columns,
  misfit: known,
}: Pick<ExportedList, 'columns' | 'misfit'>) {
  if (known !== undefined) throw misfit(known);
  const thread = startThread(columns);
  let step: PromiseWithResolvers<Uint8Array> | undefined;
  let failure: unknown;
  const fail = (error: unknown): void => {
    failure ??= error;
    step?.reject(failure);
  };
  thread.on('message', (reply: EncoderReply) => {
    if (typeof reply === 'string') step?.reject(misfit(reply));
    else step?.resolve(reply);
  });
  thread.on('error', fail);
  thread.on('exit', () => fail(new Error('The thread that encodes has ended.')));
  const ask = async (...asked: EncoderStep): Promise<Uint8Array> => {
    if (failure !== undefined) throw failure;
    step = Promise.withResolvers();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
    thread.postMessage(asked);
    return step.promise;
  };
  return {
    contentType: EXPORT_FORMATS.parquet.type,
    begin: () => ask('begin'),
    add: ({ text }: RecordLines) => ask('add', text),
    end: () => ask('end'),
    close: async () => void (await thread.terminate()),
  };
}

/** Values do not belong in logs. */
function misfit(attribute: string): HttpProblem {
  return new HttpProblem(
    'data_error',
    `The attribute ${JSON.stringify(attribute)} has a value that its column of a Parquet file ` +
      'cannot hold. Export it as CSV or JSON lines, or leave such values out by a filter.',
  );
}
