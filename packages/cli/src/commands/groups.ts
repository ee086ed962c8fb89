import type { GroupsQuery } from '@proj/client';

import { filterAt, type FilterFlags, filterOf } from '../filter-expression/filter-flags.ts';
import { type GroupFlags, readGroups } from '../flags/group-flags.ts';
import { checkSort, readSort } from '../flags/sort-flag.ts';
import { putPage } from '../output/put-page.ts';
import type { ConnectionFlags } from '../service/connection.ts';
import { suggesting } from '../service/did-you-mean.ts';
import { lookUpLinkedModel } from '../service/model-lookup.ts';
import { openService } from '../service/service.ts';
import type { Session } from '../service/session.ts';
import { pageSize } from './query.ts';

export interface GroupsFlags extends ConnectionFlags, FilterFlags, GroupFlags {
  readonly having?: readonly string[];
  readonly sort?: string;
  readonly page: number;
  readonly size?: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export async function showGroups(
  name: string,
  flags: GroupsFlags,
  session: Session,
): Promise<void> {
  const { terminal } = session;
  const { signal } = terminal;
  const terms = flags.sort === undefined ? undefined : readSort(flags.sort);
  const { client } = await openService(flags, session);
  const { by, countDistinct, sum, average, min, max, filter: filters = [], having } = flags;
  const model = await lookUpLinkedModel(client, name, {
    signal,
    texts: [by, countDistinct, sum, average, min, max, ...filters],
  });
  const read = () => {
    const { shown, ...groups } = readGroups(flags, model);
    const filter = filterOf(flags, model);
    const [first, ...others] = (having ?? []).map((text) => filterAt('--having', text, shown));
    const groupFilter = first && others.length > 0 ? { and: [first, ...others] } : first;
    const sort = checkSort(terms, shown);
    return { shown, groups, filter, groupFilter, sort };
  };
  const { shown, groups, filter, groupFilter, sort } = await suggesting(read, {
    client,
    model: name,
    signal,
  });
  const query = {
    model: name,
    ...groups,
    size: pageSize(flags, model),
    ...(filter && { filter }),
    ...(groupFilter && { groupFilter }),
    ...(sort && { sort }),
  };
  const found = await client.groups(query as GroupsQuery).page(flags.page, { signal });
  const attributes = shown.attributes.map((attribute) => attribute.name);
  await putPage(found, { attributes, model: shown, terminal, flags });
}
