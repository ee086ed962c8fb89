import type { Page, PageTotal } from '@proj/client';
import { groupDigits, type LinkedModel } from '@proj/contract';
import { pageOffset, pageRange } from '@proj/paging';

import { entriesOf } from '../service/model-lookup.ts';
import { put, type Terminal } from '../terminal/terminal.ts';
import { type AnyRecord, cellText, jsonRecord } from './records.ts';
import { columnOf, putJson, putTable, wantsJson } from './present.ts';
import type { Place } from './table.ts';

export interface PageView {
  readonly attributes: readonly string[];
  readonly model: LinkedModel;
  readonly terminal: Terminal;
  readonly flags: { readonly json?: boolean; readonly quiet?: boolean };
  /** Printed before the place in the list. Default: nothing. */
  readonly heading?: string;
  /** What the list is of. Default: records. */
  readonly item?: Place['item'];
}

/** As a table with its place in the list, or as JSON. */
export async function putPage(page: Page<AnyRecord, PageTotal>, view: PageView): Promise<void> {
  const { attributes, model, terminal, flags, heading = '', item = 'record' } = view;
  if (wantsJson(flags, terminal)) return putJson(terminal, wireReply(page, attributes));
  const content = {
    columns: entriesOf(attributes, model).map(columnOf),
    rows: page.records.map((record) => attributes.map((attribute) => cellText(record[attribute]))),
  };
  const first = pageOffset({ page: page.number, size: page.size }) + 1n;
  await putTable(terminal, content, { first, item });
  if (flags.quiet !== true)
    await put(
      terminal.stderr,
      `${heading}${describeRange(page, `${item}s`)}${describeState(page)}\n`,
    );
}

function wireReply(
  { records, number, size, total, totalAtLeast, hasNext }: Page<AnyRecord, PageTotal>,
  attributes: readonly string[],
): string {
  const result = records.map((record) => jsonRecord(record, attributes)).join(',');
  const page = JSON.stringify({
    page: String(number),
    size: String(size),
    total: total === null ? null : String(total),
    ...(totalAtLeast !== null && { total_at_least: String(totalAtLeast) }),
    has_next: hasNext,
  });
  return `{"result":[${result}],"page":${page}}`;
}

/** `records 1–20 of 135,233`; without a total, `records 1–20; more follow` */
function describeRange(page: Page<AnyRecord, PageTotal>, items: string): string {
  const { number, size, total } = page;
  if (total === null) return describeUncounted(page, items);
  const { first, last } = pageRange({ page: number, size }, total);
  if (first === null || last === null)
    return `no ${items} on page ${number}; ${groupDigits(total)} in all`;
  return `${items} ${groupDigits(first)}–${groupDigits(last)} of ${groupDigits(total)}`;
}

/** Replicas may lag behind the database, and several servers show several states. */
function describeState({
  dataAge,
  isApproximate,
}: Pick<Page<AnyRecord>, 'dataAge' | 'isApproximate'>): string {
  const age = dataAge === null || dataAge === 0 ? '' : `; at most ${dataAge} s old`;
  return isApproximate ? `${age}; records and total may be of different states` : age;
}

function describeUncounted(page: Page<AnyRecord, PageTotal>, items: string): string {
  const { number, size, records, totalAtLeast, hasNext } = page;
  const inAll = totalAtLeast === null ? '' : ` of at least ${groupDigits(totalAtLeast)}`;
  if (records.length === 0) return `no ${items} on page ${number}${inAll}`;
  const before = pageOffset({ page: number, size });
  const last = before + BigInt(records.length);
  const rest = hasNext ? 'more follow' : 'no more follow';
  return `${items} ${groupDigits(before + 1n)}–${groupDigits(last)}${inAll}; ${rest}`;
}
