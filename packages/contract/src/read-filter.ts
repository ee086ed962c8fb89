import {
  type AnyRecord,
  type Filter,
  FILTER_LIMITS,
  type FilterLeaf,
  type FilterReading,
} from './filter.ts';
import { isOperator, OPERATORS } from './operators.ts';
import type { RequestError, RequestErrorCode } from './problems.ts';
import { jsonPointer } from './pointer.ts';

type Path = readonly PropertyKey[];

/** `related` counts the surrounding conditions on related records. */
interface Place {
  readonly path: Path;
  readonly depth: number;
  readonly related: number;
}

/**
 * Collects every error with its pointer.
 *
 * @param related how many relations to many lead to the filter. Default: none
 */
export function readFilter(value: unknown, path: Path, related = 0): FilterReading {
  const reader = new FilterReader();
  const filter = reader.read(value, { path, depth: 1, related });
  return { filter: reader.errors.length === 0 ? filter : undefined, errors: reader.errors };
}

const GROUPS = ['and', 'or', 'not'] as const;
const LEAF = '{"attribute": …, "op": "eq", "value": …}';
const LEAF_MEMBERS = ['attribute', 'op', 'value', 'time_zone'];
const QUANTIFIERS = ['some', 'none'] as const;
const RELATED_MEMBERS = ['related', ...QUANTIFIERS];

class FilterReader {
  readonly errors: RequestError[] = [];
  #leaves = 0;
  #values = 0;

  read(value: unknown, place: Place): Filter | undefined {
    const { path, depth, related } = place;
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
    if (group === undefined) {
      const isRelated = RELATED_MEMBERS.some((name) => Object.hasOwn(node, name));
      return isRelated ? this.#readRelated(node, place) : this.#readLeaf(node, path);
    }
    const others = Object.keys(node).filter((name) => name !== group);
    for (const other of others)
      this.#error(
        [...path, other],
        'unknown_member',
        `"${group}" must be the only member of its object`,
      );
    return this.#readGroup(group, node[group], {
      path: [...path, group],
      depth: depth + 1,
      related,
    });
  }

  #readGroup(group: (typeof GROUPS)[number], value: unknown, place: Place): Filter | undefined {
    const { path } = place;
    if (group === 'not') {
      const not = this.read(value, place);
      return not && { not };
    }
    if (!Array.isArray(value))
      return this.#error(path, 'invalid_type', 'expected an array of filters');
    if (value.length === 0) return this.#error(path, 'invalid_filter', 'name at least one filter');
    if (value.length > FILTER_LIMITS.leaves) return this.#tooManyLeaves(path);
    const filters = value.flatMap(
      (part, index) => this.read(part, { ...place, path: [...path, index] }) ?? [],
    );
    return group === 'and' ? { and: filters } : { or: filters };
  }

  #readLeaf(node: Record<string, unknown>, path: Path): Filter | undefined {
    if (!this.#countLeaf(path)) return undefined;
    this.#refuseOthers(node, LEAF_MEMBERS, path);
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
    const leaf = { attribute, op, value: node['value'] };
    if (node['time_zone'] === undefined) return this.#checkOperand(leaf, path);
    if (OPERATORS[op].operand !== 'day')
      return this.#error([...path, 'time_zone'], 'unknown_member', `does not go with "${op}"`);
    const time_zone = this.#readText(node, 'time_zone', path);
    return time_zone === undefined ? undefined : this.#checkOperand({ ...leaf, time_zone }, path);
  }

  /** The filter inside is checked where the related model is known. */
  #readRelated(node: Record<string, unknown>, { path, depth, related }: Place): Filter | undefined {
    if (related === FILTER_LIMITS.related)
      return this.#tooLarge(
        path,
        `conditions on related records are at most ${FILTER_LIMITS.related} inside one another`,
        FILTER_LIMITS.related,
      );
    if (!this.#countLeaf(path)) return undefined;
    this.#refuseOthers(node, RELATED_MEMBERS, path);
    const name = this.#readText(node, 'related', path);
    const [quantifier, other] = QUANTIFIERS.filter((member) => Object.hasOwn(node, member));
    if (quantifier === undefined)
      return this.#error([...path, 'some'], 'missing_member', 'is required: a filter; or "none"');
    if (other !== undefined)
      this.#error([...path, other], 'unknown_member', `does not go with "${quantifier}"`);
    const inner = this.#readInner(node[quantifier], {
      path: [...path, quantifier],
      depth: depth + 1,
      related: related + 1,
    });
    if (name === undefined || inner === undefined) return undefined;
    return quantifier === 'some' ? { related: name, some: inner } : { related: name, none: inner };
  }

  #readInner(value: unknown, place: Place): Filter | AnyRecord | undefined {
    const isAny =
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.keys(value).length === 0;
    return isAny ? {} : this.read(value, place);
  }

  /** False for further leaves; the first that is too many is an error. */
  #countLeaf(path: Path): boolean {
    this.#leaves += 1;
    const isTooMany = this.#leaves === FILTER_LIMITS.leaves + 1;
    if (isTooMany) this.#tooManyLeaves(path);
    return !isTooMany;
  }

  #refuseOthers(node: Record<string, unknown>, members: readonly string[], path: Path): void {
    for (const name of Object.keys(node)) {
      if (members.includes(name)) continue;
      // Only a condition on related records refuses what a comparison has.
      const isInside = LEAF_MEMBERS.includes(name);
      const detail = isInside ? 'goes inside "some" or "none"' : 'is not part of a filter';
      this.#error([...path, name], 'unknown_member', detail);
    }
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

  /** Checks the number of values, which does not depend on the attribute. */
  #checkOperand(leaf: FilterLeaf, path: Path): Filter | undefined {
    const place = [...path, 'value'];
    const { operand } = OPERATORS[leaf.op];
    if (operand === 'truth') return leaf.value === undefined ? { ...leaf, value: true } : leaf;
    if (leaf.value === undefined)
      return this.#error(place, 'missing_member', `is required by "${leaf.op}"`);
    return operand === 'list' || operand === 'pair' ? this.#checkList(leaf, path) : leaf;
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
