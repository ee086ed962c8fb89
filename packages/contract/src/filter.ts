import { isOperator, type Operator, OPERATORS } from './operators.ts';
import type { RequestError, RequestErrorCode } from './problems.ts';
import { jsonPointer } from './pointer.ts';

/** How large a filter may be. */
export const FILTER_LIMITS = {
  /** Nodes on the way from the root to a leaf, both included. */
  depth: 5,
  leaves: 50,
  /** Values of all `in` and `not_in` together. */
  values: 1000,
} as const;

/**
 * One comparison. `value` is as it came; its type is checked against the attribute's by whoever
 * knows the model.
 */
export interface FilterLeaf {
  readonly attribute: string;
  readonly op: Operator;
  readonly value: unknown;
}

/**
 * A tree of comparisons
 * (https://github.com/dynamic-query/dynamic-query/blob/main/docs/contract.md#filters-and-sorting).
 */
export type Filter =
  | FilterLeaf
  | { readonly and: readonly Filter[] }
  | { readonly or: readonly Filter[] }
  | { readonly not: Filter };

/** A filter that was read, with the errors that it has by itself. */
export interface FilterReading {
  readonly filter: Filter | undefined;
  readonly errors: RequestError[];
}

type Path = readonly PropertyKey[];

/** Reads the filter tree of a request, collecting every error with its pointer. */
export function readFilter(value: unknown, path: Path): FilterReading {
  const reader = new FilterReader();
  const filter = reader.read(value, path, 1);
  return { filter: reader.errors.length === 0 ? filter : undefined, errors: reader.errors };
}

const GROUPS = ['and', 'or', 'not'] as const;
/** The form of a comparison. */
const LEAF = '{"attribute": …, "op": "eq", "value": …}';
const LEAF_MEMBERS = ['attribute', 'op', 'value'];

class FilterReader {
  readonly errors: RequestError[] = [];
  #leaves = 0;
  #values = 0;

  read(value: unknown, path: Path, depth: number): Filter | undefined {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return this.#error(path, 'invalid_type', `expected an object, such as ${LEAF}`);
    if (depth > FILTER_LIMITS.depth)
      return this.#tooLarge(
        path,
        `a filter is at most ${FILTER_LIMITS.depth} deep`,
        FILTER_LIMITS.depth,
      );
    const node: Record<string, unknown> = { ...value };
    const group = GROUPS.find((name) => Object.hasOwn(node, name));
    if (group === undefined) return this.#readLeaf(node, path);
    const others = Object.keys(node).filter((name) => name !== group);
    for (const other of others)
      this.#error(
        [...path, other],
        'unknown_member',
        `"${group}" must be the only member of its object`,
      );
    return this.#readGroup(group, node[group], { path: [...path, group], depth: depth + 1 });
  }

  #readGroup(
    group: (typeof GROUPS)[number],
    value: unknown,
    { path, depth }: { path: Path; depth: number },
  ): Filter | undefined {
    if (group === 'not') {
      const not = this.read(value, path, depth);
      return not && { not };
    }
    if (!Array.isArray(value))
      return this.#error(path, 'invalid_type', 'expected an array of filters');
    if (value.length === 0) return this.#error(path, 'invalid_filter', 'name at least one filter');
    if (value.length > FILTER_LIMITS.leaves) return this.#tooManyLeaves(path);
    const filters = value.flatMap((part, index) => this.read(part, [...path, index], depth) ?? []);
    return group === 'and' ? { and: filters } : { or: filters };
  }

  #readLeaf(node: Record<string, unknown>, path: Path): Filter | undefined {
    this.#leaves += 1;
    if (this.#leaves === FILTER_LIMITS.leaves + 1) return this.#tooManyLeaves(path);
    for (const name of Object.keys(node)) {
      if (!LEAF_MEMBERS.includes(name))
        this.#error([...path, name], 'unknown_member', 'is not part of a filter');
    }
    const attribute = this.#readText(node, 'attribute', path);
    const op = this.#readText(node, 'op', path);
    if (attribute === undefined || op === undefined) return undefined;
    if (!isOperator(op)) {
      return this.#error(
        [...path, 'op'],
        'unknown_operator',
        `expected one of ${Object.keys(OPERATORS).join(', ')}`,
      );
    }
    return this.#checkOperand({ attribute, op, value: node['value'] }, path);
  }

  #readText(node: Record<string, unknown>, name: string, path: Path): string | undefined {
    const value = node[name];
    const place = [...path, name];
    if (value === undefined) return this.#error(place, 'missing_member', 'is required: a string');
    if (typeof value !== 'string') return this.#error(place, 'invalid_type', 'expected a string');
    if (!value.isWellFormed() || value.includes('\0'))
      return this.#error(place, 'invalid_text', 'holds a lone surrogate or a NUL');
    return value;
  }

  /** Checks what does not depend on the attribute: how many values there are. */
  #checkOperand(leaf: FilterLeaf, path: Path): Filter | undefined {
    const place = [...path, 'value'];
    const { operand } = OPERATORS[leaf.op];
    if (operand === 'truth') return leaf.value === undefined ? { ...leaf, value: true } : leaf;
    if (leaf.value === undefined)
      return this.#error(place, 'missing_member', `is required by "${leaf.op}"`);
    return operand === 'value' || operand === 'value_or_null' ? leaf : this.#checkList(leaf, path);
  }

  #checkList(leaf: FilterLeaf, path: Path): Filter | undefined {
    const place = [...path, 'value'];
    if (!Array.isArray(leaf.value))
      return this.#error(place, 'invalid_type', `"${leaf.op}" takes an array`);
    if (OPERATORS[leaf.op].operand === 'pair' && leaf.value.length !== 2)
      return this.#error(place, 'invalid_value', `"${leaf.op}" takes two values`);
    if (leaf.value.length === 0)
      return this.#error(place, 'invalid_value', `"${leaf.op}" takes at least one value`);
    this.#values += leaf.value.length;
    if (this.#values > FILTER_LIMITS.values) {
      return this.#tooLarge(
        place,
        `a filter lists at most ${FILTER_LIMITS.values} values`,
        FILTER_LIMITS.values,
      );
    }
    return leaf;
  }

  #tooManyLeaves(path: Path): undefined {
    return this.#tooLarge(
      path,
      `a filter has at most ${FILTER_LIMITS.leaves} comparisons`,
      FILTER_LIMITS.leaves,
    );
  }

  #tooLarge(path: Path, detail: string, maximum: number): undefined {
    const pointer = jsonPointer(path);
    this.errors.push({
      pointer,
      code: 'filter_too_large',
      detail: `${pointer}: ${detail}.`,
      maximum,
    });
  }

  #error(path: Path, code: RequestErrorCode, detail: string): undefined {
    const pointer = jsonPointer(path);
    this.errors.push({ pointer, code, detail: `${pointer}: ${detail}.` });
  }
}
