import { type CountedTotal, type Page, type PageTotal, ProblemError } from '@proj/client';

import { FailedError } from '../failure.ts';
import { readKey } from '../flags/key-arguments.ts';
import type { AnyRecord } from '../output/any-record.ts';
import { putPage } from '../output/put-page.ts';
import type { Session } from '../service/session.ts';
import { askedList } from './asked-list.ts';
import { type PageFlags, pageSize } from './query.ts';

export interface RecordName {
  readonly model: string;
  /** `name=value` for each part. */
  readonly key: readonly string[];
}

export interface PageOfFlags extends PageFlags {
  readonly total?: CountedTotal;
}

export async function queryPageOf(
  { model: name, key }: RecordName,
  flags: PageOfFlags,
  session: Session,
): Promise<void> {
  const { terminal } = session;
  const { client, model, list } = await askedList(name, flags, session);
  const containing = readKey(key, model);
  const { total = 'exact' } = flags;
  const page: Page<AnyRecord, PageTotal> = await client
    .pageOf(
      { ...list, containing, size: pageSize(flags, model), total },
      { signal: terminal.signal },
    )
    .catch((error: unknown) => {
      throw inWordsOfKey(error);
    });
  const { attributes } = list;
  await putPage(page, { attributes, model, terminal, flags, heading: `page ${page.number}: ` });
}

/** Where the service places its errors, which the command line does not know. */
const CONTAINING = /^\/page\/containing\/?/;

/** Replaces JSON pointers by the names of the key's parts. */
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
