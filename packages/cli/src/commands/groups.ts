import type { GroupsQuery } from '@proj/client';

import { filterAt, type FilterFlags, filterOf } from '../filter-expression/filter-flags.ts';
import { type GroupFlags, readGroups } from '../flags/group-flags.ts';
import { checkSort, readSort } from '../flags/list-flags.ts';
import { putPage } from '../output/put-page.ts';
import { suggesting } from '../service/model-lookup.ts';
import type { Session } from '../terminal/terminal.ts';
import { askedModel, type RelatedFlags } from './asked-list.ts';
import { pageSize } from './query.ts';

export interface GroupsFlags extends RelatedFlags, FilterFlags, GroupFlags {
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
  const { by, countDistinct, sum, average, min, max, filter: filters = [], having } = flags;
  const texts = [by, countDistinct, sum, average, min, max, ...filters];
  const { client, model, related } = await askedModel({ name, texts }, flags, session);
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
    ...(related && { related }),
  };
  const found = await client.groups(query as GroupsQuery).page(flags.page, { signal });
  const attributes = shown.attributes.map((attribute) => attribute.name);
  await putPage(found, { attributes, model: shown, terminal, flags, item: 'group' });
}
