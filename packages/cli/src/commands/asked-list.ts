import type { DynamicQueryClient, Filter, Sort } from '@proj/client';
import { type LinkedModel, type RequestedRelated, withRelated } from '@proj/contract';

import { type FilterFlags, filterOf } from '../filter-expression/filter-flags.ts';
import { readRelated } from '../flags/related-flag.ts';
import { checkSort, readSort } from '../flags/sort-flag.ts';
import type { ConnectionFlags } from '../service/connection.ts';
import { suggesting } from '../service/did-you-mean.ts';
import { chooseAttributes, lookUpLinkedModel } from '../service/model-lookup.ts';
import { openService } from '../service/service.ts';
import type { Session } from '../service/session.ts';

export interface ListFlags extends ConnectionFlags, FilterFlags {
  readonly attributes?: string;
  readonly sort?: string;
  readonly related?: readonly string[];
}

export interface AskedList {
  readonly client: DynamicQueryClient;
  readonly model: LinkedModel;
  readonly list: {
    readonly model: string;
    readonly attributes: readonly string[];
    readonly filter?: Filter;
    readonly sort?: readonly Sort[];
    readonly related?: RequestedRelated;
  };
}

/** @throws {UsageError} without such a list; otherwise as {@link lookUpLinkedModel} */
export async function askedList(
  name: string,
  flags: ListFlags,
  session: Session,
): Promise<AskedList> {
  const { signal } = session.terminal;
  const terms = flags.sort === undefined ? undefined : readSort(flags.sort);
  const { client } = await openService(flags, session);
  const found = await lookUpLinkedModel(client, name, {
    signal,
    isRelated: flags.related !== undefined,
    texts: [flags.attributes, flags.sort, ...(flags.filter ?? [])],
  });
  const related = readRelated(flags.related, found);
  const model = withRelated(found, related);
  const read = () => ({
    attributes: chooseAttributes(flags.attributes, model),
    filter: filterOf(flags, model),
    sort: checkSort(terms, model),
  });
  const { attributes, filter, sort } = await suggesting(read, { client, model: name, signal });
  const list = {
    model: name,
    attributes,
    ...(filter && { filter }),
    ...(sort && { sort }),
    ...(related && { related }),
  };
  return { client, model, list };
}
