export const TYPES = [
  'text',
  'boolean',
  'int32',
  'int64',
  'decimal',
  'float64',
  'date',
  'timestamp',
  'timestamp_tz',
  'uuid',
  'json',
] as const;

type ReadType = (typeof TYPES)[number];

/** A number as its text has it: a double would lose digits. */
class Digits {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

const keep: Reviver = (_, value, { source = '' }) =>
  typeof value === 'number' ? new Digits(source) : value;

function parsed(text: string): unknown {
  return JSON.parse(text, keep as Parameters<typeof JSON.parse>[1]) as unknown;
}

/** What a place of a document is as a value of a type, by JavaScript's reading of its text. */
export function readAs(type: ReadType, text: string, path: readonly (string | number)[]): unknown {
  let value = parsed(text);
  for (const step of path) {
    const fits = typeof step === 'number' ? Array.isArray(value) : isObject(value);
    value = fits && Object.hasOwn(value as object, step) ? (value as never)[step] : undefined;
  }
  if (value === undefined || value === null) return null;
  if (type === 'json') return JSON.parse(JSON.stringify(value, (_, one) => plain(one))) as unknown;
  if (type === 'boolean') return typeof value === 'boolean' ? value : null;
  if (value instanceof Digits) return numberAs(type, value.text);
  return typeof value === 'string' ? textAs(type, value) : null;
}

function plain(value: unknown): unknown {
  return value instanceof Digits ? Number(value.text) : value;
}

function isObject(value: unknown): boolean {
  const isPlain = !Array.isArray(value) && !(value instanceof Digits);
  return typeof value === 'object' && value !== null && isPlain;
}

function numberAs(type: ReadType, text: string): unknown {
  if (type === 'float64') return Number(text);
  if (type === 'decimal') return text;
  if (type !== 'int32' && type !== 'int64') return null;
  if (!Number.isInteger(Number(text))) return null;
  const whole = /^-?\d+$/.test(text) ? BigInt(text) : BigInt(Number(text));
  const bits = type === 'int32' ? 32 : 64;
  if (BigInt.asIntN(bits, whole) !== whole) return null;
  return type === 'int32' ? Number(whole) : String(whole);
}

const MOMENT = /^(\d{4}-\d\d-\d\d)[T ]((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?)(.*)$/s;

function textAs(type: ReadType, text: string): unknown {
  if (type === 'text') return text;
  if (type === 'uuid')
    return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text) ? text.toLowerCase() : null;
  if (type === 'date') return isDay(text) ? text : null;
  const [, day = '', time = '', zone = ''] = MOMENT.exec(text) ?? [];
  if (!isDay(day)) return null;
  if (type === 'timestamp') return zone === '' ? `${day}T${time}` : null;
  if (type !== 'timestamp_tz' || !/^(?:Z|[-+](?:0\d|1[0-5]):[0-5]\d)$/.test(zone)) return null;
  const [seconds = '', fraction = ''] = time.split('.');
  const instant = new Date(`${day}T${seconds}${zone}`).toISOString();
  return instant.replace('.000Z', fraction === '' ? 'Z' : `.${fraction}Z`);
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text.endsWith('\n') || text < '0001') return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** Databases keep the digits of a number's text, or fill them up. */
export function sameAs(type: ReadType, value: unknown): unknown {
  if (typeof value !== 'string') return type === 'float64' && value === 0 ? 0 : value;
  if (type === 'decimal') return Number(value) === 0 ? '0' : exactDigits(value);
  return type.startsWith('timestamp')
    ? value.replace(/(\.\d*?)0+(Z?)$/, '$1$2').replace(/\.(Z?)$/, '$1')
    : value;
}

function exactDigits(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = BigInt(whole + fraction);
  let scale = fraction.length - Number(exponent);
  let units = digits;
  while (units % 10n === 0n) [units, scale] = [units / 10n, scale - 1];
  return `${units}e${-scale}`;
}
