import { EXPORT_FORMATS } from '@proj/contract';
import type { ExportedList } from '@proj/engine';
import type { LightMyRequestResponse } from 'fastify';

import { type Service, TOKEN } from '../helper.ts';

export const EXPORT_PATH = '/api/v1/dynamic/export';

/** Asks for an export, of which trailers are wanted. */
export async function exportOf(
  { app }: Pick<Service, 'app'>,
  body: object,
  accept: string = EXPORT_FORMATS.parquet.type,
): Promise<LightMyRequestResponse> {
  const common = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const headers = { ...common, accept, te: 'trailers' };
  return app.inject({
    method: 'POST',
    url: EXPORT_PATH,
    headers,
    payload: JSON.stringify(body),
  });
}

/** What an engine says of a list of one record with an `id`. */
export const LIST_OF_IDS: ExportedList = {
  total: 1n,
  version: undefined,
  columns: [{ name: 'id', type: 'int32', items: undefined, extremes: [], decimal: undefined }],
  csv: undefined,
  model: 'cities',
  models: ['cities'],
  deprecations: [],
  approximate: false,
  milliseconds: { plan: 0, count: 0 },
};
