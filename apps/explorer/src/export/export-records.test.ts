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

async function exported(status: number, written = CSV): Promise<string> {
  let text = '';
  await exportRecords({
    list: {
      file: () => Promise.reject(new ProblemError({ ...FACTS, status })),
      pages: async function* () {},
    },
    ...written,
    sink: {
      write: (bytes) => Promise.resolve(void (text += new TextDecoder().decode(bytes))),
      close: () => Promise.resolve(),
      abandon: () => Promise.resolve(),
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
