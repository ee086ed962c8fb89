import type { ModelEntry, Page, PageTotal, RequestedTotal } from '@proj/client';

import type { ConnectionFlags } from '../service/connection.ts';
import { suggesting } from '../service/did-you-mean.ts';
import { type FilterFlags, filterOf } from '../filter-expression/filter-flags.ts';
import { chooseAttributes, chooseSize, lookUpLinkedModel } from '../service/model-lookup.ts';
import type { AnyRecord } from '../output/any-record.ts';
import { putPage } from '../output/put-page.ts';
import { openService } from '../service/service.ts';
import type { Session } from '../service/session.ts';
import { checkSort, readSort } from '../flags/sort-flag.ts';

/** Flags of a command that shows one page. */
export interface PageFlags extends ConnectionFlags, FilterFlags {
  readonly attributes?: string;
  readonly sort?: string;
  readonly size?: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export interface QueryFlags extends PageFlags {
  readonly total?: RequestedTotal;
  readonly page: number;
}

const SCREENFUL = 20;

/** `dq query <model>`: one page. */
export async function queryPage(name: string, flags: QueryFlags, session: Session): Promise<void> {
  const { terminal } = session;
  const { signal } = terminal;
  const terms = flags.sort === undefined ? undefined : readSort(flags.sort);
  const { client } = await openService(flags, session);
  const model = await lookUpLinkedModel(client, name, {
    signal,
    texts: [flags.attributes, flags.sort, ...(flags.filter ?? [])],
  });
  const names = () => ({
    attributes: chooseAttributes(flags.attributes, model),
    filter: filterOf(flags, model),
    sort: checkSort(terms, model),
  });
  const { attributes, filter, sort } = await suggesting(names, { client, model: name, signal });
  const { page: number, total = 'exact' } = flags;
  const list = { ...(filter && { filter }), ...(sort && { sort }) };
  const page: Page<AnyRecord, PageTotal> = await client.query(
    { model: name, attributes, page: number, size: pageSize(flags, model), total, ...list },
    { signal },
  );
  await putPage(page, { attributes, model, terminal, flags });
}

/** As many records as a screen has room for, unless the flags say how many. */
export function pageSize({ size }: Pick<PageFlags, 'size'>, model: ModelEntry): number {
  return chooseSize(size ?? Math.min(SCREENFUL, model.max_page_size), model);
}
