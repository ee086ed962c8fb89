import * as fc from 'fast-check';

/** A comparison, or others that it is made of. */
export type Tested =
  | { readonly attribute: string; readonly op: string; readonly value: unknown }
  | { readonly and: readonly Tested[] }
  | { readonly or: readonly Tested[] }
  | { readonly not: Tested };

/** What lists are about. */
interface Named {
  readonly attributes: readonly string[];
  /** The values to compare an attribute with, and the operators of their order. */
  readonly valuesOf: (attribute: string) => {
    readonly values: fc.Arbitrary<unknown>;
    readonly ordered: readonly string[];
  };
  readonly pages: number;
  readonly size: number;
}

type Anything<One> = One extends fc.Arbitrary<infer Value> ? Value : never;

export type AnyList = Anything<ReturnType<typeof anyList>>;

/** Any list of some attributes, which it also filters and sorts by. */
export function anyList({ attributes, valuesOf, pages, size }: Named) {
  const attribute = fc.constantFrom(...attributes);
  return fc.record({
    attributes: fc.uniqueArray(attribute, { minLength: 1, maxLength: 6 }),
    filter: fc.option(anyFilter(attribute, valuesOf), { nil: undefined }),
    sort: fc.uniqueArray(
      fc.record({
        attribute,
        direction: fc.constantFrom('asc', 'desc'),
        nulls: fc.constantFrom('first', 'last'),
      }),
      { maxLength: 3, selector: (term) => term.attribute },
    ),
    page: fc.integer({ min: 1, max: pages }),
    size: fc.integer({ min: 1, max: size }),
  });
}

function anyFilter(attribute: fc.Arbitrary<string>, valuesOf: Named['valuesOf']) {
  const leaf = attribute.chain((name): fc.Arbitrary<Tested> => {
    const { values: value, ordered } = valuesOf(name);
    const of = (op: string, operand: fc.Arbitrary<unknown>) =>
      fc.record({ attribute: fc.constant(name), op: fc.constant(op), value: operand });
    const list = fc.array(value, { minLength: 1, maxLength: 4 });
    return fc.oneof(
      ...['eq', 'ne', 'is_distinct', ...ordered].map((op) => of(op, value)),
      ...['in', 'not_in'].map((op) => of(op, list)),
      of('is_null', fc.boolean()),
    );
  });
  return fc.letrec<{ filter: Tested; node: Tested }>((tie) => ({
    filter: fc.oneof({ withCrossShrink: true, maxDepth: 3 }, leaf, tie('node')),
    node: fc.oneof(
      fc.record({ and: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ or: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ not: tie('filter') }),
    ),
  })).filter;
}
