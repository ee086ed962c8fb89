import type { Answer, Received } from '../../../cli/test/service/answer.ts';
import { instead } from '../tampering.ts';
import type { Variant } from './variant.ts';

const isExport = ({ path }: Received): boolean => path.endsWith('/export');

function onExports(change: (answer: Answer) => Partial<Answer>) {
  return instead(isExport, (answer) =>
    answer.status === 200 ? { ...answer, ...change(answer) } : answer,
  );
}

/** Servers whose exports are not as the contract says. */
export const WRONG_EXPORTS: Readonly<Record<string, Variant>> = {
  'says another number of records than an export has': {
    behaviour: {
      after: onExports(({ headers }) => ({ headers: { ...headers, 'export-total': '0' } })),
    },
    breaks: ['export-records'],
  },
  'writes CSV without the names': {
    behaviour: {
      after: onExports(({ headers, body }) =>
        headers['content-type'] === 'text/csv' ? { body: String(body).replace(/^.*\r\n/, '') } : {},
      ),
    },
    breaks: ['export-csv'],
  },
  'exports in any form': {
    behaviour: {
      before: (request) =>
        isExport(request) && request.headers['accept'] === 'text/html'
          ? { ...request, headers: { ...request.headers, accept: 'application/jsonl' } }
          : request,
    },
    breaks: ['export-types'],
  },
  'ignores the page of an export': {
    behaviour: {
      before: (request) => {
        if (!isExport(request)) return request;
        const { page: _page, ...body } = JSON.parse(request.body.toString()) as { page?: unknown };
        return { ...request, body: Buffer.from(JSON.stringify(body)) };
      },
    },
    breaks: ['export-members'],
  },
};
