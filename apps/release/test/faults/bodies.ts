import { itemsPage } from '../support/ask.ts';

/** A body that is in order. */
export const QUERY = JSON.stringify(itemsPage());

export const withPage = (page: string, size = '5'): string =>
  `{"query_model":"items","query_attributes":["id"],"page":{"page":${page},"size":${size}}}`;

export const withAttributes = (attributes: string): string =>
  `{"query_model":"items","query_attributes":${attributes},"page":{"page":1,"size":5}}`;

export const withFilter = (attribute: string, value: string): string =>
  `{"query_model":"items","query_attributes":["id"],"page":{"page":1,"size":5},` +
  `"query_filter":{"attribute":${attribute},"op":"eq","value":${value}}}`;

export const bytesInName = (...bytes: readonly number[]): Uint8Array<ArrayBuffer> => {
  const [before = '', after = ''] = QUERY.split('items');
  return Uint8Array.from([...Buffer.from(before), ...bytes, ...Buffer.from(after)]);
};
