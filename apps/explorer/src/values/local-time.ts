const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** The time zone of the reader, such as `Europe/Berlin`. */
export const LOCAL_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * A moment (RFC 3339) on the clock of the reader, such as `2026-01-31 23:59:59.5`, with every digit
 * of its second; `null` for a text that is none, such as `infinity`.
 */
export function localTime(text: string): string | null {
  const [, fraction = ''] = INSTANT.exec(text) ?? [null];
  const moment = new Date(text);
  if (!INSTANT.test(text) || Number.isNaN(moment.getTime())) return null;
  const [year, ...rest] = [
    moment.getFullYear(),
    moment.getMonth() + 1,
    moment.getDate(),
    moment.getHours(),
    moment.getMinutes(),
    moment.getSeconds(),
  ].map((part, index) => String(part).padStart(index === 0 ? 4 : 2, '0'));
  const [month, day, hours, minutes, seconds] = rest;
  return `${year}-${month}-${day} ${hours}:${minutes}:${seconds}${fraction}`;
}
