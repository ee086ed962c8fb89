import type { CountedTotal, Page, PageTotal } from '@proj/client';

import { suggesting } from '../did-you-mean.ts';
import { filterOf } from '../filter-expression/filter-flags.ts';
import { readKey } from '../key-arguments.ts';
import { chooseAttributes, lookUpModel } from '../model-lookup.ts';
import type { AnyRecord } from '../output/any-record.ts';
import { putPage } from '../output/put-page.ts';
import { openService } from '../service.ts';
import type { Session } from '../session.ts';
import { readSort } from '../sort-flag.ts';
import { type PageFlags, pageSize } from './query.ts';

/** Which record of which model. */
export interface RecordName {
  readonly model: string;
  /** As people write it: `name=value` for each part. */
  readonly key: readonly string[];
}

export interface PageOfFlags extends PageFlags {
  readonly total?: CountedTotal;
}

/** `dq page-of <model> <key…>`: the page of a list that holds a record. */
export async function queryPageOf(
  { model: name, key }: RecordName,
  flags: PageOfFlags,
  session: Session,
): Promise<void> {
  const { terminal } = session;
  const { signal } = terminal;
  const sort = flags.sort === undefined ? undefined : readSort(flags.sort);
  const { client } = await openService(flags, session);
  const model = await lookUpModel(client, name, { signal });
  const containing = readKey(key, model);
  const names = () => ({
    attributes: chooseAttributes(flags.attributes, model),
    filter: filterOf(flags, model),
  });
  const { attributes, filter } = await suggesting(names, { client, model: name, signal });
  const { total = 'exact' } = flags;
  const terms = { total, ...(filter && { filter }), ...(sort && { sort }) };
  const page: Page<AnyRecord, PageTotal> = await client.pageOf(
    { model: name, attributes, containing, size: pageSize(flags, model), ...terms },
    { signal },
  );
  await putPage(page, { attributes, model, terminal, flags, heading: `page ${page.number}: ` });
}
