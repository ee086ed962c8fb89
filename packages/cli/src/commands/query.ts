import type { Page, PageTotal, RequestedTotal } from '@proj/client';
import { groupDigits } from '@proj/contract';
import { pageOffset, pageRange } from '@proj/paging';

import type { ConnectionFlags } from '../connection.ts';
import { suggesting } from '../did-you-mean.ts';
import { type FilterFlags, filterOf } from '../filter-expression/filter-flags.ts';
import { chooseAttributes, entriesOf, lookUpModel } from '../model-lookup.ts';
import type { AnyRecord } from '../output/any-record.ts';
import { cellText } from '../output/cell-text.ts';
import { jsonRecord } from '../output/json-record.ts';
import { columnOf, putJson, putTable, wantsJson } from '../output/present.ts';
import { openService } from '../service.ts';
import type { Session } from '../session.ts';
import { readSort } from '../sort-flag.ts';
import { put } from '../terminal.ts';

export interface QueryFlags extends ConnectionFlags, FilterFlags {
  readonly attributes?: string;
  readonly sort?: string;
  readonly total?: RequestedTotal;
  readonly page: number;
  readonly size?: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const SCREENFUL = 20;

/** `dq query <model>`: one page. */
export async function queryPage(name: string, flags: QueryFlags, session: Session): Promise<void> {
  const { terminal } = session;
  const { signal } = terminal;
  const sort = flags.sort === undefined ? undefined : readSort(flags.sort);
  const { client } = await openService(flags, session);
  const model = await lookUpModel(client, name, { signal });
  const names = () => ({
    attributes: chooseAttributes(flags.attributes, model),
    filter: filterOf(flags, model),
  });
  const { attributes, filter } = await suggesting(names, { client, model: name, signal });
  const { page: number, size = Math.min(SCREENFUL, model.max_page_size), total = 'exact' } = flags;
  const terms = { ...(filter && { filter }), ...(sort && { sort }) };
  const page: Page<AnyRecord, PageTotal> = await client.query(
    { model: name, attributes, page: number, size, total, ...terms },
    { signal },
  );
  if (wantsJson(flags, terminal)) return putJson(terminal, wireReply(page, attributes));
  await putTable(terminal, {
    columns: entriesOf(attributes, model).map(columnOf),
    rows: page.records.map((record) => attributes.map((attribute) => cellText(record[attribute]))),
  });
  if (flags.quiet !== true)
    await put(terminal.stderr, `${describeRange(page)}${describeAge(page)}\n`);
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
function describeRange(page: Page<AnyRecord, PageTotal>): string {
  const { number, size, total } = page;
  if (total === null) return describeUncounted(page);
  const { first, last } = pageRange({ page: number, size }, total);
  if (first === null || last === null)
    return `no records on page ${number}; ${groupDigits(total)} in all`;
  return `records ${groupDigits(first)}–${groupDigits(last)} of ${groupDigits(total)}`;
}

/** What was read from a replica may be behind what the database itself shows. */
function describeAge({ dataAge }: Pick<Page<AnyRecord>, 'dataAge'>): string {
  return dataAge === null || dataAge === 0 ? '' : `; at most ${dataAge} s old`;
}

function describeUncounted(page: Page<AnyRecord, PageTotal>): string {
  const { number, size, records, totalAtLeast, hasNext } = page;
  const inAll = totalAtLeast === null ? '' : ` of at least ${groupDigits(totalAtLeast)}`;
  if (records.length === 0) return `no records on page ${number}${inAll}`;
  const before = pageOffset({ page: number, size });
  const last = before + BigInt(records.length);
  const rest = hasNext ? 'more follow' : 'no more follow';
  return `records ${groupDigits(before + 1n)}–${groupDigits(last)}${inAll}; ${rest}`;
}
