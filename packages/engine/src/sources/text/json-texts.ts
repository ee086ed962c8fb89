import { endOfJsonString } from '@proj/contract';

const DAY =
  '(?!0000)(' +
  '[0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|' +
  '(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|' +
  '([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)';
const TIME = '([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{1,6})?';
const ZONE = '(Z|[-+](0[0-9]|1[0-5]):[0-5][0-9])';

/** No character follows: `$` of some stands before the end of the last line. */
const END = '(?![.]|[^.])';

/** Texts that are values, by patterns that PostgreSQL, ICU and PCRE read alike. */
export const JSON_TEXTS = {
  uuid: `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}${END}`,
  date: `^${DAY}${END}`,
  timestamp: `^${DAY}[T ]${TIME}${END}`,
  timestamp_tz: `^${DAY}[T ]${TIME}${ZONE}${END}`,
};

const WHITE_SPACE = /[\t\n\r ]+/g;

/** Drops white space between tokens; strings and numbers stay as written. */
export function minifyJson(text: string): string {
  let minified = '';
  let from = 0;
  while (from < text.length) {
    const open = text.indexOf('"', from);
    if (open === -1) break;
    const close = endOfJsonString(text, open);
    minified += text.slice(from, open).replace(WHITE_SPACE, '') + text.slice(open, close);
    from = close;
  }
  return minified + text.slice(from).replace(WHITE_SPACE, '');
}
