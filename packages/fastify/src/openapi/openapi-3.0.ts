import type { Schema } from './schema.ts';

type Parts = Readonly<Record<string, unknown>>;

/** Members whose values are data. */
const DATA = new Set(['example', 'value']);

/** Converts from OpenAPI 3.1. */
export function toOpenApi30(parts: object): object {
  return mapMembers({ ...parts }, (member, name) => {
    if (DATA.has(name)) return member;
    if (name === 'schema') return toSchema30(member);
    if (name === 'schemas' && isParts(member)) return mapMembers(member, toSchema30);
    if (Array.isArray(member)) return member.map(toPart30);
    return toPart30(member);
  });
}

function toPart30(part: unknown): unknown {
  return isParts(part) ? toOpenApi30(part) : part;
}

/** OpenAPI 3.0 has `nullable` and no lists of types. */
export function toSchema30(schema: unknown): unknown {
  if (!isParts(schema)) return schema;
  const { $ref, type, anyOf, const: constant, examples, ...rest } = schema;
  const parts = mapMembers(rest, subschemas);
  if ($ref !== undefined)
    return Object.keys(parts).length === 0 ? { $ref } : { ...parts, allOf: [{ $ref }] };
  return {
    ...parts,
    ...kinds(type, anyOf),
    ...(constant !== undefined && { type: typeof constant, enum: [constant] }),
    ...(Array.isArray(examples) && { example: examples[0] as unknown }),
  };
}

/** One type, or one of several, and perhaps null. */
function kinds(type: unknown, anyOf: unknown): Schema {
  const types = [type ?? []].flat().map((name) => ({ type: name }));
  const schemas: unknown[] = Array.isArray(anyOf) ? anyOf : [];
  const all = [...types, ...schemas.filter(isParts)];
  const others = all.filter((kind) => kind['type'] !== 'null');
  const nullable = others.length < all.length && { nullable: true };
  const [one, ...more] = others.map((kind) => ({ ...mapMembers(kind, subschemas), ...nullable }));
  return { ...(more.length === 0 ? one : { anyOf: [one, ...more] }) };
}

function subschemas(member: unknown, name: string): unknown {
  if (name === 'properties' && isParts(member)) return mapMembers(member, toSchema30);
  if (name === 'oneOf' && Array.isArray(member)) return member.map((schema) => toSchema30(schema));
  return name === 'items' || name === 'additionalProperties' ? toSchema30(member) : member;
}

function mapMembers(parts: Parts, map: (member: unknown, name: string) => unknown): Parts {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, map(part, name)]));
}

function isParts(value: unknown): value is Parts {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
