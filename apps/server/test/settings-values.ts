/** The part of JSON Schema that the settings use. */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
}

/** A setting with its place. */
export interface Described {
  /** `<name>` stands for any name, `[]` for any item of a list. */
  readonly path: readonly string[];
  readonly setting: Schema;
  readonly required: boolean;
}

/** All keys below a setting, each before those below it; none below a single value. */
export function describeGroup(schema: Schema, path: readonly string[]): Described[] {
  const { properties = {}, required = [], additionalProperties, items, anyOf } = schema;
  const named = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  const ofName = [...path, '<name>'];
  // What is said of a name is a setting of its own where it has several forms.
  const forms =
    named?.anyOf === undefined ? [] : [{ path: ofName, setting: named, required: false }];
  const members = Object.entries(properties).flatMap(([key, setting]) => {
    const here = [...path, key];
    const member = { path: here, setting, required: required.includes(key) };
    return [member, ...describeGroup(setting, here)];
  });
  return [
    ...members,
    ...forms,
    ...(named === undefined ? [] : describeGroup(named, ofName)),
    ...(items === undefined ? [] : describeGroup(items, [...path, '[]'])),
    ...(anyOf ?? []).flatMap((one) => describeGroup(one, path)),
  ];
}

/** What may be written, in words. */
export function valueOf(schema: Schema): string {
  const { type, enum: words, const: word, anyOf, items, format } = schema;
  if (anyOf !== undefined) return [...new Set(anyOf.map(valueOf))].join(', or ');
  if (word !== undefined) return `\`${word}\``;
  if (items !== undefined) return `list of ${listItems(items)}`;
  if (format !== undefined) return FORMATS[format] ?? format;
  if (words !== undefined) return words.map((one) => `\`${one}\``).join(', ');
  if (type === 'number' || type === 'integer') return numberOf(schema);
  return { string: 'text', boolean: '`true`, `false`', object: 'mapping' }[type ?? ''] ?? '';
}

function numberOf({ type, minimum, maximum }: Schema): string {
  const isLimited = type === 'number' || (maximum !== undefined && maximum <= 65_535);
  return isLimited ? `${minimum} to ${maximum}` : `whole number from ${minimum}`;
}

/** What the formats of JSON Schema are called. */
const FORMATS: Readonly<Record<string, string>> = {
  date: 'date',
  uri: 'URL',
  ipv4: 'IPv4 address',
  ipv6: 'IPv6 address',
  cidrv4: 'IPv4 network',
  cidrv6: 'IPv6 network',
};

function listItems({ anyOf, type, enum: words }: Schema): string {
  if (anyOf !== undefined) return anyOf.map((item) => plural(valueOf(item))).join(', ');
  if (words !== undefined) return words.map((word) => `\`${word}\``).join(', ');
  return type === 'string' ? 'texts' : 'mappings';
}

function plural(noun: string): string {
  return noun.endsWith('s') ? `${noun}es` : `${noun}s`;
}
