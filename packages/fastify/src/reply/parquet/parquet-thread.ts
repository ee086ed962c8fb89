import { type MessagePort, parentPort, workerData } from 'node:worker_threads';

import { MisfitError, ParquetEncoder } from './parquet-encoder.ts';
import type { EncoderColumns, EncoderReply, EncoderStep } from './thread-protocol.ts';

function serve(port: MessagePort, columns: EncoderColumns): void {
  const encoder = new ParquetEncoder(columns);
  port.on('message', (step: EncoderStep) => {
    const reply = replyTo(encoder, step);
    port.postMessage(reply, 'bytes' in reply ? [reply.bytes.buffer] : []);
  });
}

function replyTo(encoder: ParquetEncoder, step: EncoderStep): EncoderReply {
  try {
    return { bytes: step.do === 'add' ? encoder.add(step.text) : encoder[step.do]() };
  } catch (error) {
    if (error instanceof MisfitError) return { misfit: error.attribute };
    throw error;
  }
}

if (parentPort !== null) serve(parentPort, workerData as EncoderColumns);
