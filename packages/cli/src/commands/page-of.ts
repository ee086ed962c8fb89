import { type CountedTotal, type Page, type PageTotal, ProblemError } from '@proj/client';

import { suggesting } from '../service/did-you-mean.ts';
import { FailedError } from '../failure.ts';
import { filterOf } from '../filter-expression/filter-flags.ts';
import { readKey } from '../flags/key-arguments.ts';
import { chooseAttributes, lookUpLinkedModel } from '../service/model-lookup.ts';
import type { AnyRecord } from '../output/any-record.ts';
import { putPage } from '../output/put-page.ts';
import { openService } from '../service/service.ts';
import type { Session } from '../service/session.ts';
import { checkSort, readSort } from '../flags/sort-flag.ts';
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
  const terms = flags.sort === undefined ? undefined : readSort(flags.sort);
  const { client } = await openService(flags, session);
  const model = await lookUpLinkedModel(client, name, {
    signal,
    texts: [flags.attributes, flags.sort, ...(flags.filter ?? [])],
  });
  const containing = readKey(key, model);
  const names = () => ({
    attributes: chooseAttributes(flags.attributes, model),
    filter: filterOf(flags, model),
    sort: checkSort(terms, model),
  });
  const { attributes, filter, sort } = await suggesting(names, { client, model: name, signal });
  const { total = 'exact' } = flags;
  const list = { total, ...(filter && { filter }), ...(sort && { sort }) };
  const page: Page<AnyRecord, PageTotal> = await client
    .pageOf(
      { model: name, attributes, containing, size: pageSize(flags, model), ...list },
      { signal },
    )
    .catch((error: unknown) => {
      throw inWordsOfKey(error);
    });
  await putPage(page, { attributes, model, terminal, flags, heading: `page ${page.number}: ` });
}

/** Where the service places its errors, which the command line does not know. */
const CONTAINING = /^\/page\/containing\/?/;

/** What the service says of the key, with the names of its parts in place of JSON pointers. */
function inWordsOfKey(error: unknown): unknown {
  if (!(error instanceof ProblemError)) return error;
  if (error.code === 'record_not_in_list')
    return new FailedError(
      `${error.status} ${error.code}: the list has no record with this key. Check the key, and ` +
        '--filter where one is given.',
    );
  const [first] = error.errors;
  if (first === undefined || !CONTAINING.test(first.pointer)) return error;
  return new FailedError(
    `the key: ${error.errors.map(({ detail }) => detail.replace(CONTAINING, '')).join(' ')}`,
  );
}
