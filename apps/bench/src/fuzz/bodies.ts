import { type Operator, OPERATORS, operatorsOf } from '@proj/contract';
import * as fc from 'fast-check';

import { type JsonNode, Members, members, printJson, Token } from './json-text.ts';
import { EXAMPLES, MODELS } from './kinds-table.ts';
import { oddNumber, oddText, oddValue } from './odd-values.ts';

type Node = fc.Arbitrary<JsonNode>;

/** Something, and in a few cases anything. */
function mostly(usual: Node, odd: Node = oddValue): Node {
  return fc.oneof({ weight: 60, arbitrary: usual }, { weight: 1, arbitrary: odd });
}

function operandOf(op: Operator, examples: readonly string[]): Node {
  const one = mostly(fc.constantFrom(...examples));
  switch (OPERATORS[op].operand) {
    case 'list':
      return fc.array(one, { minLength: 1, maxLength: 6 });
    case 'pair':
      return fc.tuple(one, one);
    case 'truth':
      return mostly(fc.boolean());
    case 'value_or_null':
      return fc.oneof(one, fc.constant(null));
    case 'value':
      return one;
  }
}

/** A comparison of an attribute of a model, mostly with a value that its type takes. */
function comparison(model: string): Node {
  const attributes = Object.entries(MODELS[model] ?? {});
  const comparisons = attributes.flatMap(([attribute, type]) =>
    operatorsOf(type).map((op) =>
      fc.record({
        attribute: mostly(fc.constant(attribute)),
        op: mostly(fc.constant(op)),
        value: operandOf(op, EXAMPLES[type] ?? ['1']),
      }),
    ),
  );
  return fc.oneof(...comparisons).map(members);
}

function filterOf(model: string): Node {
  const { filter } = fc.letrec<{ filter: JsonNode }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 5, depthSize: 'small', withCrossShrink: true },
      comparison(model),
      fc.array(tie('filter'), { minLength: 1, maxLength: 4 }).map((all) => members({ and: all })),
      fc.array(tie('filter'), { minLength: 1, maxLength: 4 }).map((any) => members({ or: any })),
      tie('filter').map((not) => members({ not })),
    ),
  }));
  return filter;
}

function sortedAttribute({ entries }: Members): unknown {
  return entries[0]?.[1];
}

function sortOf(names: readonly string[]): Node {
  const term = fc
    .record(
      {
        attribute: mostly(fc.constantFrom(...names)),
        direction: mostly(fc.constantFrom('asc', 'desc')),
        nulls: mostly(fc.constantFrom('first', 'last')),
      },
      { requiredKeys: ['attribute'], noNullPrototype: true },
    )
    .map((parts) => members(parts as Record<string, JsonNode>));
  return fc.uniqueArray(term, { maxLength: 6, selector: sortedAttribute });
}

const page = fc
  .record({
    page: mostly(
      fc.oneof(
        fc.integer({ min: 1, max: 40 }),
        fc.maxSafeNat().map((number) => number + 1),
      ),
      oddNumber,
    ),
    size: mostly(fc.integer({ min: 1, max: 1000 }), oddNumber),
  })
  .map(({ page: number, size }) => members({ page: number, size }));

/** A query, each part of which may be something else. */
function queryOf(model: string): fc.Arbitrary<Members> {
  const names = Object.keys(MODELS[model] ?? {});
  const attributes = fc.oneof(
    { weight: 40, arbitrary: fc.shuffledSubarray(names, { minLength: 1 }) },
    { weight: 1, arbitrary: fc.array(fc.oneof(fc.constantFrom(...names), oddText)) },
  );
  return fc
    .record(
      {
        query_model: mostly(fc.constant(model)),
        query_attributes: mostly(attributes),
        page: mostly(page),
        query_filter: mostly(filterOf(model)),
        query_sort: mostly(sortOf(names)),
      },
      { requiredKeys: ['query_model', 'query_attributes', 'page'], noNullPrototype: true },
    )
    .map((parts) => members(parts as Record<string, JsonNode>));
}

const query: fc.Arbitrary<Members> = fc.oneof(...Object.keys(MODELS).map(queryOf));

/** A query some of whose members come twice, are missing, or are called otherwise. */
const misshapen: fc.Arbitrary<Members> = fc
  .tuple(query, fc.array(fc.tuple(fc.nat(), fc.nat(3), oddText), { minLength: 1, maxLength: 3 }))
  .map(([{ entries }, changes]) => new Members(changes.reduce(change, [...entries])));

type Entry = readonly [string, JsonNode];

function change(entries: Entry[], [place, kind, name]: [number, number, string]): Entry[] {
  const index = place % Math.max(1, entries.length);
  const entry = entries[index] ?? ['page', null];
  if (kind === 0) return entries.toSpliced(index, 1);
  if (kind === 1) return [...entries, entry];
  if (kind === 2) return entries.with(index, [name, entry[1]]);
  return [...entries, [name, entry[1]]];
}

/** A filter that is as deep as nobody means it. */
const deep: fc.Arbitrary<Members> = fc
  .tuple(fc.integer({ min: 1, max: 3000 }), fc.constantFrom('and', 'or', 'not'))
  .map(([depth, word]) => {
    const [before, after] = word === 'not' ? ['{"not":', '}'] : [`{"${word}":[`, ']}'];
    const inner = '{"attribute":"id","op":"eq","value":1}';
    return members({
      query_model: 'items',
      query_attributes: ['id'],
      page: members({ page: 1, size: 1 }),
      query_filter: new Token(before.repeat(depth) + inner + after.repeat(depth)),
    });
  });

/** Texts with some bytes changed, as a careless program or a broken line sends them. */
const mutated: fc.Arbitrary<Uint8Array> = fc
  .tuple(
    query.map((node) => Buffer.from(printJson(node))),
    fc.array(fc.tuple(fc.nat(), fc.nat(255), fc.nat(2)), { minLength: 1, maxLength: 4 }),
  )
  .map(([bytes, changes]) =>
    changes.reduce<Uint8Array>((changed, [place, byte, kind]) => {
      const index = place % Math.max(1, changed.length);
      const [head, tail] = [
        changed.subarray(0, index),
        changed.subarray(index + (kind === 0 ? 0 : 1)),
      ];
      return Buffer.concat([head, kind === 2 ? Buffer.alloc(0) : Buffer.of(byte), tail]);
    }, bytes),
  );

function textOf(node: Node): fc.Arbitrary<Uint8Array> {
  return node.map((value) => Buffer.from(printJson(value)));
}

/** The bodies of queries: valid, nearly valid, and everything else. */
export const body: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 16, arbitrary: textOf(query) },
  { weight: 4, arbitrary: textOf(misshapen) },
  { weight: 4, arbitrary: mutated },
  { weight: 1, arbitrary: textOf(deep) },
  { weight: 1, arbitrary: textOf(oddValue) },
  { weight: 1, arbitrary: fc.json().map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }) },
  { weight: 1, arbitrary: textOf(query).map((bytes) => Buffer.from(bytes.toString(), 'utf16le')) },
);
