import { endOfJsonString } from '@proj/contract';

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
