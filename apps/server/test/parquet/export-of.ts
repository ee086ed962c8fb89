import { EXPORT_FORMATS } from '@proj/contract';
import type { ExportedList } from '@proj/engine';
import type { LightMyRequestResponse } from 'fastify';

import { send, type Service } from '../helper.ts';

export const EXPORT_PATH = '/api/v1/dynamic/export';

/** Asks for an export, of which trailers are wanted. */
export async function exportOf(
  { app }: Pick<Service, 'app'>,
  body: object,
  accept: string = EXPORT_FORMATS.parquet.type,
): Promise<LightMyRequestResponse> {
  return send(app, body, { path: EXPORT_PATH, headers: { accept, te: 'trailers' } });
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
