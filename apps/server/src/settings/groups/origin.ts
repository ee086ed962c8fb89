import * as z from 'zod';

const EXPECTED = 'expected an origin as browsers send it, such as `https://app.example.com`';

/** Browsers' origins are compared letter by letter. */
export const originSetting = z
  .url({ error: EXPECTED, abort: true })
  .refine((value) => /^[^/]+\/\/[^/?#@]+$/.test(value) && isNormal(value), EXPECTED);

/** Other schemes than those of the web, as of apps, get no slash. */
function isNormal(value: string): boolean {
  return [value, `${value}/`].includes(new URL(value).href);
}
