import {
  type CountedTotal,
  type ModelEntry,
  type Page,
  type PageTotal,
  ProblemError,
  type RequestedTotal,
} from '@proj/client';

import { FailedError } from '../failure.ts';
import { readKey } from '../flags/key-arguments.ts';
import type { AnyRecord } from '../output/records.ts';
import { putPage } from '../output/put-page.ts';
import { chooseSize } from '../service/model-lookup.ts';
import type { Session } from '../terminal/terminal.ts';
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
