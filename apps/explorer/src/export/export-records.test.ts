import { ProblemError } from '@proj/client';
import { expect, it } from 'vitest';

import { type ExportJob, exportRecords } from './export-records.ts';

const FACTS = { problem: null, requestId: null, retryAfterMs: null };

const CSV: Pick<ExportJob, 'encoding' | 'encoder'> = {
  encoding: { format: 'csv', guardFormulas: false },
  encoder: { head: 'id\r\n', record: () => '' },
};

const PARQUET: typeof CSV = {
  encoding: { format: 'parquet', guardFormulas: false },
  encoder: null,
};

const SINK: ExportJob['sink'] = {
  write: () => Promise.resolve(),
  close: () => Promise.resolve(),
  abandon: () => Promise.resolve(),
};

async function exported(status: number, written = CSV): Promise<string> {
  let text = '';
  await exportRecords({
    list: {
      file: () => Promise.reject(new ProblemError({ ...FACTS, status })),
      pages: async function* () {},
    },
    ...written,
    sink: {
      ...SINK,
      write: (bytes) => Promise.resolve(void (text += new TextDecoder().decode(bytes))),
    },
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  return text;
}

it.each([404, 405, 406, 501, 505])(
  'an export in the explorer is read page by page where exports are answered with %i',
  async (status) => {
    expect(await exported(status)).toBe('id\r\n');
  },
);

it('an export in the explorer fails with the problem of a service that has exports', async () => {
  await expect(exported(403)).rejects.toThrow(ProblemError);
});

it('an export in the explorer as Parquet says so where nothing but the service can write it', async () => {
  await expect(exported(406, PARQUET)).rejects.toThrow('lets no Parquet file pass');
});

it('an export in the explorer is read no further once its file cannot be written', async () => {
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (stream) => stream.enqueue(new Uint8Array(1)),
    cancel: () => void (isCancelled = true),
  });
  const full = new Error('The disk is full.');
  const exporting = exportRecords({
    list: {
      file: () => Promise.resolve({ body, total: 9n, dataVersion: null }),
      pages: async function* () {},
    },
    ...CSV,
    sink: { ...SINK, write: () => Promise.reject(full) },
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  await expect(exporting).rejects.toBe(full);
  expect(isCancelled).toBe(true);
});
