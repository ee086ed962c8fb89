import type { ServerLog } from '@proj/engine/database';

import { type Lsn, parseLsn } from '../log/lsn.ts';

/** `16/B374D848`, or with its log, as {@link formatPosition} writes it. */
const POSITION = /^([0-9A-F]{1,8}\/[0-9A-F]{1,8})(?:@([1-9]\d{0,9}\.[\w-]{8}))?$/i;

interface Parsed {
  readonly lsn: Lsn;
  /** Timeline and cluster; undefined for an LSN that a caller has from the server itself. */
  readonly log: string | undefined;
}

export function formatPosition(lsn: Lsn, log: string): string {
  return `${formatLsn(lsn)}@${log}`;
}

/** An LSN without a log, as from the server itself, is of the log it is compared with. */
export const LSN_POSITIONS: ServerLog['positions'] = {
  parse(text) {
    const positions = text.split(',').map((part) => parseOne(part.trim()));
    return positions.includes(undefined) ? undefined : positions.flatMap((one) => one ?? []);
  },

  covers(reached, wanted) {
    const [has, wants] = [parsed(reached), parsed(wanted)];
    return isOfLog(wants, has.log) && has.lsn >= wants.lsn;
  },

  later(one, other) {
    const [first, second] = [parsed(one), parsed(other)];
    if (first.log !== second.log) return timelineOf(first) > timelineOf(second) ? one : other;
    return first.lsn > second.lsn ? one : other;
  },

  upTo(wanted, end) {
    const [wants, last] = [parsed(wanted), parsed(end)];
    return isOfLog(wants, last.log) && wants.lsn > last.lsn ? end : wanted;
  },
};

function parseOne(text: string): string | undefined {
  const [, lsn = '', log] = POSITION.exec(text) ?? [];
  if (lsn === '') return undefined;
  return log === undefined ? formatLsn(parseLsn(lsn)) : formatPosition(parseLsn(lsn), log);
}

function parsed(text: string): Parsed {
  const [lsn = '', log] = text.split('@');
  return { lsn: parseLsn(lsn), log };
}

function isOfLog({ log }: Parsed, other: string | undefined): boolean {
  return log === undefined || log === other;
}

/** A promoted server's log has a higher timeline. */
function timelineOf({ log = '0' }: Parsed): number {
  return Number.parseInt(log, 10);
}

function formatLsn(lsn: Lsn): string {
  const [high, low] = [lsn >> 32n, lsn & 0xff_ff_ff_ffn];
  return `${high.toString(16)}/${low.toString(16)}`.toUpperCase();
}
