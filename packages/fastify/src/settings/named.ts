import * as z from 'zod';

import { entriesOf } from './written-order.ts';

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
