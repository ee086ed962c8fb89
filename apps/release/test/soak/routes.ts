import { API_PATHS } from '@proj/contract';

/** A request whose reply shows whether it is of one committed state of the ledger. */
export interface Route {
  readonly path: string;
  readonly accept: string;
  readonly body: object;
  /** What is wrong with a whole reply in which each batch has `parts` records. */
  readonly errorOf: (text: string, parts: number) => string | undefined;
}

const LEDGER = { query_model: 'ledger' };
const RECORDS = { ...LEDGER, query_attributes: ['id', 'batch', 'part', 'amount'] };
const JSON_TYPE = 'application/json';

/** What a soak asks for beside pages. */
export const ROUTES: readonly Route[] = [
  {
    path: API_PATHS.export,
    accept: 'application/jsonl',
    body: RECORDS,
    errorOf: exportError,
  },
  {
    path: API_PATHS.watch,
    accept: 'text/event-stream',
    body: { ...RECORDS, watch_every_ms: 100 },
    errorOf: (text, parts) => {
      const totals = [...text.matchAll(/"total":"(\d+)"/g)].map(([, total]) => Number(total));
      const wrong = totals.find((total) => total % parts !== 0);
      return wrong === undefined ? undefined : `a watch showed the total ${wrong}`;
    },
  },
  {
    path: API_PATHS.query,
    accept: JSON_TYPE,
    body: {
      ...LEDGER,
      query_groups: ['part'],
      query_aggregates: [{ name: 'records', op: 'count' }],
      query_attributes: ['part', 'records'],
      page: { page: 1, size: 100 },
    },
    errorOf: (text, parts) => {
      const { result } = JSON.parse(text) as { result: readonly { records: string }[] };
      return partsError(
        result.map(({ records }) => records),
        parts,
      );
    },
  },
  {
    path: API_PATHS.facets,
    accept: JSON_TYPE,
    body: { ...LEDGER, query_facets: [{ attribute: 'part', values: 100 }] },
    errorOf: (text, parts) => {
      const { facets } = JSON.parse(text) as {
        facets: readonly [{ values: readonly { count: string }[] }];
      };
      return partsError(
        facets[0].values.map(({ count }) => count),
        parts,
      );
    },
  },
];

function exportError(text: string, parts: number): string | undefined {
  const records = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Readonly<Record<'batch' | 'amount', unknown>>);
  if (records.length % parts !== 0) return `an export has ${records.length} records`;
  const amounts = new Map(records.map(({ batch, amount }) => [String(batch), String(amount)]));
  const torn = records.find(({ batch, amount }) => amounts.get(String(batch)) !== String(amount));
  return torn && `an export shows two states of the batch ${String(torn.batch)}`;
}

/** Each part is in every batch. */
function partsError(counts: readonly string[], parts: number): string | undefined {
  const isWhole = counts.length === parts && new Set(counts).size === 1;
  return counts.length === 0 || isWhole ? undefined : `parts were counted as ${counts.join(', ')}`;
}
