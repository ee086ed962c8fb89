export { dateForm, inForm, isoSeconds, momentOfText, withFraction } from '../../moment-text.ts';
export type { DateForm } from '../../moment-text.ts';
export type { CalendarDay } from '../../catalogue/relation.ts';
