const JSON_NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** `125e-1` for `12.50` and `1.25e1`: equal numbers have one text. Undefined for no JSON number. */
export function canonicalNumber(text: string): string | undefined {
  const [, sign = '', whole, fraction = '', exponent = '0'] = JSON_NUMBER.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const written = `${whole}${fraction}`.replace(/^0+/, '');
  const digits = written.replace(/(?<!0)0+$/, '');
  if (digits === '') return '0';
  const unit = Number(exponent) - fraction.length + written.length - digits.length;
  return `${sign}${digits}e${unit}`;
}

/** As a filter takes it: in digits where a JSON number would lose some; undefined for no number. */
export function filterNumber(text: string): number | { readonly number: string } | undefined {
  const canonical = canonicalNumber(text);
  if (canonical === undefined) return undefined;
  const number = Number(text);
  const isSafe = !Number.isInteger(number) || Number.isSafeInteger(number);
  return isSafe && canonicalNumber(String(number)) === canonical ? number : { number: text };
}
