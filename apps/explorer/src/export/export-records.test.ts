import { ProblemError } from '@proj/client';
import { expect, it } from 'vitest';

import { exportRecords } from './export-records.ts';

const FACTS = { problem: null, requestId: null, retryAfterMs: null };

async function exported(status: number): Promise<string> {
  let text = '';
  await exportRecords({
    list: {
      file: () => Promise.reject(new ProblemError({ ...FACTS, status })),
      pages: async function* () {},
    },
    encoding: { format: 'csv', guardFormulas: false },
    encoder: { extension: 'csv', mediaType: 'text/csv', head: 'id\r\n', record: () => '' },
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
