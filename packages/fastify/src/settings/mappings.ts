import * as z from 'zod';

type Entries = readonly (readonly [string, unknown])[];

/** Names of mappings in written order: an object puts those of digits first. */
const NAMES = new WeakMap<object, readonly string[]>();

/** Keeps the order for {@link entriesOf}. */
export function fromEntries(entries: Entries): Record<string, unknown> {
  const mapping = Object.fromEntries(entries);
  NAMES.set(
    mapping,
    entries.map(([name]) => name),
  );
  return mapping;
}

/** In written order; undefined where the value is no mapping. */
export function entriesOf(value: unknown): Entries | undefined {
  if (!isRecord(value)) return undefined;
  const names = NAMES.get(value) ?? Object.keys(value);
  return names.map((name) => [name, value[name]] as const);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface NamedDef extends z.core.$ZodRecordDef {
  readonly isOrdered: boolean;
}

type InitRecord = (schema: z.ZodType, def: NamedDef) => void;

/** A record for JSON Schema. Parsing by a map keeps every name, and the order. */
const Named = z.core.$constructor<z.ZodType, NamedDef>('Named', (schema, def) => {
  (z.ZodRecord.init as InitRecord)(schema, def);
  const map = z.map(def.keyType, def.valueType);
  schema._zod.parse = (payload, context) => {
    const { value: input } = payload;
    const entries = entriesOf(input);
    if (entries === undefined) {
      payload.issues.push({ code: 'invalid_type', expected: 'record', input, inst: schema });
      return payload;
    }
    payload.value = new Map(entries);
    const parsed = map._zod.parse(payload, context);
    if (!def.isOrdered && payload.value instanceof Map)
      payload.value = Object.fromEntries(payload.value);
    return parsed;
  };
});

/** A mapping by chosen names. `z.record` drops the name `__proto__`. */
export function named<Value extends z.ZodType>(
  keyType: z.core.$ZodRecordKey,
  valueType: Value,
): z.ZodType<Record<string, z.output<Value>>, Readonly<Record<string, z.input<Value>>>> {
  const def = { type: 'record', keyType, valueType, isOrdered: false } as const;
  return new Named(def) as never;
}

/** In the order of the file: an object puts names of digits first. */
export function namedInOrder<Value extends z.ZodType>(
  keyType: z.core.$ZodRecordKey,
  valueType: Value,
): z.ZodType<ReadonlyMap<string, z.output<Value>>, Readonly<Record<string, z.input<Value>>>> {
  const def = { type: 'record', keyType, valueType, isOrdered: true } as const;
  return new Named(def) as never;
}

interface ShortDef extends z.core.$ZodUnionDef {
  readonly expand: (value: unknown) => unknown;
  readonly long: z.core.$ZodType;
}

type InitUnion = (schema: z.ZodType, def: ShortDef) => void;

/** Shows JSON Schema the short forms: a transform would lose the defaults and examples around. */
const Short = z.core.$constructor<z.ZodType, ShortDef>('Short', (schema, def) => {
  (z.ZodUnion.init as InitUnion)(schema, def);
  const forms = z.union(def.options);
  schema._zod.parse = (payload, context) => {
    const read = forms._zod.run(payload, context);
    if (read instanceof Promise || read.issues.length > 0) return read;
    read.value = def.expand(read.value);
    return def.long._zod.run(read, context);
  };
});

/** @param expand turns a short form into the long one */
export function shortFor<Long extends z.ZodType, Value>(
  long: Long,
  options: readonly z.ZodType<Value>[],
  expand: (value: Value) => unknown,
): z.ZodType<z.output<Long>, Value> {
  const def = { type: 'union', options, long, expand } as const;
  return new Short(def as ShortDef) as never;
}

export const names = z.array(z.string().min(1)).min(1);

/** Turns a list of names into a mapping where each has this value. */
export function listed<Long extends z.ZodType>(long: Long, value: unknown) {
  return shortFor(long, [names], (list) => fromEntries(list.map((name) => [name, value])));
}

/** `all` or a list is short for a mapping with such `attributes`. */
export function modelsByName<Model extends z.ZodType>(model: Model) {
  const options: z.ZodType<string | string[]>[] = [z.literal('all'), names];
  const short = shortFor(model, options, (attributes) => ({ attributes }));
  const forms = z.union([short, model], 'expected `all`, a list of attributes, or a mapping');
  return named(z.string(), forms);
}
