import type { Page, PageTotal } from '@proj/client';
import { groupDigits, nameText } from '@proj/contract';

import { ARGUMENTS, DEFAULT_TEXT, mapping, toolInput } from '../arguments/input.ts';
import { countFitting, pageBytes, pageResult } from '../results/page-result.ts';
import type { AnyRecord } from '../results/records.ts';
import { readList } from './query-records.ts';
import { tool } from './tool.ts';

/** The page of a list on which a record is. */
export const findRecordPage = tool({
  name: 'find_record_page',
  description:
    'Finds the page of a list that holds the record with a key, and the place (rank) of the ' +
    'record in the list as it is filtered and sorted.',
  input: toolInput({
    model: ARGUMENTS.model,
    key: mapping.describe('Each attribute of the key with its value, such as {"id": "4711"}.'),
    attributes: ARGUMENTS.attributes,
    related: ARGUMENTS.related,
    filter: ARGUMENTS.filter,
    sort: ARGUMENTS.sort,
    size: ARGUMENTS.size,
  }),
  run: async ({ key, size, ...args }, context) => {
    const { list, model, notes, whole } = await readList(args, context);
    const missing = model.key.filter((part) => !list.attributes.includes(part));
    const texts = { from: 0, length: DEFAULT_TEXT, whole };
    const query = { ...list, attributes: [...list.attributes, ...missing], containing: key };
    const read = async (smaller: number): Promise<Page<AnyRecord, PageTotal>> =>
      context.client.pageOf({ ...query, size: smaller }, { signal: context.signal });
    let page = await read(size);
    let bytes = pageBytes(page, texts);
    // A page that is cut from its beginning might lose the record, so a smaller one is read.
    while (page.size > 1 && countFitting(bytes, context.maxBytes) < bytes.length) {
      page = await read(
        Math.max(1, Math.min(countFitting(bytes, context.maxBytes), page.size - 1)),
      );
      bytes = pageBytes(page, texts);
    }
    const place = rankOf(page, key);
    return pageResult(page, {
      items: 'records',
      title: nameText(args.model),
      notes: [
        ...(place === undefined
          ? []
          : [`The record is number ${groupDigits(place)} of the list, on page ${page.number}.`]),
        ...notes,
      ],
      texts,
      maxBytes: context.maxBytes,
      facts: { model: args.model, ...(place !== undefined && { rank: String(place) }) },
    });
  },
});

/** The place of the record in the whole list; undefined where its key is written otherwise. */
export function rankOf(
  { number, size, records }: Pick<Page<AnyRecord>, 'number' | 'size' | 'records'>,
  key: AnyRecord,
): bigint | undefined {
  const parts = Object.entries(key);
  const index = records.findIndex((record) =>
    parts.every(([name, value]) => keyText(record[name]) === keyText(value)),
  );
  return index === -1 ? undefined : BigInt(number - 1) * BigInt(size) + BigInt(index + 1);
}

/** Numbers are their digits; values of a column of any type may be objects. */
function keyText(value: unknown): string {
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  return JSON.stringify(isNumber ? String(value) : value);
}
