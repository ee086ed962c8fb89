import type { DateUnit } from '@proj/contract';

const PERIOD = /^\d{4}-\d\d-\d\d(T\d\d:00:00|$)/;

const TEXTS: Readonly<Partial<Record<DateUnit, (first: string) => string>>> = {
  year: (first) => first.slice(0, 4),
  quarter: (first) => `${first.slice(0, 4)} Q${Math.ceil(Number(first.slice(5, 7)) / 3)}`,
  month: (first) => first.slice(0, 7),
  hour: (first) => first.replace(/T(\d\d:00):00/, ' $1'),
};

/** A part of time by its first day or second, as people write it; other texts as they are. */
export function periodText(first: string, unit: DateUnit | undefined): string {
  const text = unit && PERIOD.test(first) ? TEXTS[unit]?.(first) : undefined;
  return text ?? first;
}
