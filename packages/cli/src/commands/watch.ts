import { listChange, type PageTotal, type RequestedTotal, type WatchedState } from '@proj/client';
import { groupDigits } from '@proj/contract';

import { putJson, wantsJson } from '../output/present.ts';
import { put, type Session } from '../terminal/terminal.ts';
import { askedList, type ListFlags } from './asked-list.ts';

export interface WatchFlags extends ListFlags {
  readonly total?: RequestedTotal;
  readonly every?: number;
  readonly once?: boolean;
  readonly json?: boolean;
}

type State = WatchedState<PageTotal>;

export async function watchList(name: string, flags: WatchFlags, session: Session): Promise<void> {
  const { terminal } = session;
  const { signal } = terminal;
  const { client, list } = await askedList(name, flags, session);
  const { total = 'exact', every: everyMs, once = false } = flags;
  const options = { signal, ...(everyMs !== undefined && { everyMs }) };
  let known: State | undefined;
  for await (const state of client.watch({ ...list, total }, options)) {
    if (wantsJson(flags, terminal)) await putJson(terminal, wireState(state));
    else await put(terminal.stdout, `${clockText(new Date())}  ${describe(state, known)}\n`);
    if (once && known !== undefined) return;
    known = state;
  }
}

function wireState({ total, totalAtLeast, dataVersion, checkedEveryMs }: State): string {
  return JSON.stringify({
    total: total === null ? null : String(total),
    ...(totalAtLeast !== null && { total_at_least: String(totalAtLeast) }),
    ...(dataVersion !== null && { version: dataVersion }),
    ...(checkedEveryMs !== null && { checked_every_ms: checkedEveryMs }),
  });
}

/** `54 records, 12 more`; without a total `watching`, and then `changed` */
function describe(state: State, known: State | undefined): string {
  const total = totalText(state);
  if (known === undefined) return total ?? 'watching';
  const change = listChange(known, state)?.text ?? 'changed';
  return total === null ? change : `${total}, ${change}`;
}

function totalText({ total, totalAtLeast }: State): string | null {
  if (total === 1n) return '1 record';
  if (total !== null) return `${groupDigits(total)} records`;
  return totalAtLeast === null ? null : `at least ${groupDigits(totalAtLeast)} records`;
}

/** In the time zone of this machine. */
function clockText(now: Date): string {
  return now.toTimeString().slice(0, 8);
}
