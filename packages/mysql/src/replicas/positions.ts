import type { ServerLog } from '@proj/engine/database';

/**
 * Global transaction ids, one a domain: `0-1-4711,1-2-12`. Within a domain the sequence number
 * alone gives the order: https://mariadb.com/kb/en/gtid/
 */
export const GTID_POSITIONS: ServerLog['positions'] = {
  parse(text) {
    const ids = text.split(',').map((part) => part.trim());
    const areIds = ids.every((id) => /^\d{1,10}-\d{1,10}-\d{1,20}$/.test(id));
    return areIds ? [format(parsed(ids.join(',')))] : undefined;
  },

  covers(reached, wanted) {
    const has = parsed(reached);
    return [...parsed(wanted)].every(([domain, id]) => numberOf(has.get(domain)) >= numberOf(id));
  },

  later(one, other) {
    const merged = parsed(one);
    for (const [domain, id] of parsed(other))
      if (numberOf(id) >= numberOf(merged.get(domain))) merged.set(domain, id);
    return format(merged);
  },

  upTo(wanted, end) {
    const [wants, last] = [parsed(wanted), parsed(end)];
    for (const [domain, id] of wants) {
      const known = last.get(domain);
      if (known !== undefined && numberOf(id) > numberOf(known)) wants.set(domain, known);
    }
    return format(wants);
  },
};

function parsed(text: string): Map<string, string> {
  const ids = new Map<string, string>();
  for (const id of text.split(',').filter(Boolean)) {
    const domain = String(BigInt(id.slice(0, id.indexOf('-'))));
    if (numberOf(id) >= numberOf(ids.get(domain))) ids.set(domain, id);
  }
  return ids;
}

function format(ids: ReadonlyMap<string, string>): string {
  return [...ids.values()].join(',');
}

function numberOf(id: string | undefined): bigint {
  return id === undefined ? -1n : BigInt(id.slice(id.lastIndexOf('-') + 1));
}
