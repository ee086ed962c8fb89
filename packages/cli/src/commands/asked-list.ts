import { type LinkedModel, type RequestedRelated, withRelated } from '@proj/contract';

import type { SelectedList } from '../export/write-export.ts';
import { type FilterFlags, filterOf } from '../filter-expression/filter-flags.ts';
import { checkSort, readRelated, readSort } from '../flags/list-flags.ts';
import { chooseAttributes, lookUpLinkedModel, suggesting } from '../service/model-lookup.ts';
import { type ConnectionFlags, openService, type Service } from '../service/service.ts';
import type { Session } from '../terminal/terminal.ts';

export interface RelatedFlags extends ConnectionFlags {
  readonly related?: readonly string[];
}

export interface ListFlags extends RelatedFlags, FilterFlags {
  readonly attributes?: string;
  readonly sort?: string;
}

export interface AskedList extends AskedModel {
  readonly list: SelectedList;
}

/** @throws {UsageError} without such a list; otherwise as {@link lookUpLinkedModel} */
export async function askedList(
  name: string,
  flags: ListFlags,
  session: Session,
): Promise<AskedList> {
  const { signal } = session.terminal;
  const terms = flags.sort === undefined ? undefined : readSort(flags.sort);
  const texts = [flags.attributes, flags.sort, ...(flags.filter ?? [])];
  const asked = await askedModel({ name, texts }, flags, session);
  const { client, model, related } = asked;
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
  return { ...asked, list };
}

interface AskedModel extends Service {
  /** With the counts as attributes. */
  readonly model: LinkedModel;
  readonly related: RequestedRelated | undefined;
}

/** @param asked with the texts that may name paths or related records */
export async function askedModel(
  { name, texts }: { readonly name: string; readonly texts: readonly (string | undefined)[] },
  flags: RelatedFlags,
  session: Session,
): Promise<AskedModel> {
  const { signal } = session.terminal;
  const service = await openService(flags, session);
  const isRelated = flags.related !== undefined;
  const found = await lookUpLinkedModel(service.client, name, { signal, isRelated, texts });
  const related = readRelated(flags.related, found);
  return { ...service, model: withRelated(found, related), related };
}
