import { type MessagePort, parentPort, workerData } from 'node:worker_threads';

import type { ExportedColumn } from '@proj/engine';

import { parquetEncoder } from './parquet-encoder.ts';
import type { EncoderStep } from './parquet-format.ts';

function serve(port: MessagePort, columns: readonly ExportedColumn[]): void {
  const encoder = parquetEncoder(columns);
  port.on('message', ([step, lines = '']: EncoderStep) => {
    const reply = encoder[step](lines);
    port.postMessage(reply, typeof reply === 'string' ? [] : [reply.buffer]);
  });
}

if (parentPort !== null) serve(parentPort, workerData as readonly ExportedColumn[]);
