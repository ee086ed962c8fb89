import * as z from 'zod';

import { named } from './named.ts';
import { fromEntries } from './written-order.ts';

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
