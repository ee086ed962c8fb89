import type { DateUnit } from '@proj/contract';

const DATE = /^\d{4}-\d\d-\d\d$/;

const TEXTS: Readonly<Partial<Record<DateUnit, (first: string) => string>>> = {
  year: (first) => first.slice(0, 4),
  quarter: (first) => `${first.slice(0, 4)} Q${Math.ceil(Number(first.slice(5, 7)) / 3)}`,
  month: (first) => first.slice(0, 7),
};

/** A part of time by the date of its first day, as people write it; other texts as they are. */
export function periodText(first: string, unit: DateUnit | undefined): string {
  const text = unit && DATE.test(first) ? TEXTS[unit]?.(first) : undefined;
  return text ?? first;
}
