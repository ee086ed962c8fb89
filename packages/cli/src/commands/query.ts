import type { ModelEntry, Page, PageTotal, RequestedTotal } from '@proj/client';

import type { AnyRecord } from '../output/any-record.ts';
import { putPage } from '../output/put-page.ts';
import { chooseSize } from '../service/model-lookup.ts';
import type { Session } from '../service/session.ts';
import { askedList, type ListFlags } from './asked-list.ts';

export interface PageFlags extends ListFlags {
  readonly size?: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export interface QueryFlags extends PageFlags {
  readonly total?: RequestedTotal;
  readonly page: number;
}

const SCREENFUL = 20;

export async function queryPage(name: string, flags: QueryFlags, session: Session): Promise<void> {
  const { terminal } = session;
  const { client, model, list } = await askedList(name, flags, session);
  const { page: number, total = 'exact' } = flags;
  const page: Page<AnyRecord, PageTotal> = await client.query(
    { ...list, page: number, size: pageSize(flags, model), total },
    { signal: terminal.signal },
  );
  await putPage(page, { attributes: list.attributes, model, terminal, flags });
}

/** By default as many records as fit on a screen. */
export function pageSize({ size }: Pick<PageFlags, 'size'>, model: ModelEntry): number {
  return chooseSize(size ?? Math.min(SCREENFUL, model.max_page_size), model);
}
