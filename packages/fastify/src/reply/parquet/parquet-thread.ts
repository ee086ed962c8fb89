import { type MessagePort, parentPort, workerData } from 'node:worker_threads';

import type { ExportedColumn } from '@proj/engine';

import { MisfitError, ParquetEncoder } from './parquet-encoder.ts';
import type { EncoderReply, EncoderStep } from './parquet-format.ts';

function serve(port: MessagePort, columns: readonly ExportedColumn[]): void {
  const encoder = new ParquetEncoder(columns);
  port.on('message', (step: EncoderStep) => {
    const reply = replyTo(encoder, step);
    port.postMessage(reply, typeof reply === 'string' ? [] : [reply.buffer]);
  });
}

function replyTo(encoder: ParquetEncoder, [step, lines = '']: EncoderStep): EncoderReply {
  try {
    return encoder[step](lines);
  } catch (error) {
    if (error instanceof MisfitError) return error.attribute;
    throw error;
  }
}

if (parentPort !== null) serve(parentPort, workerData as readonly ExportedColumn[]);
