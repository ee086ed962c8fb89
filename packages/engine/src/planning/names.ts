import { RELATION_LIMITS, type RequestError } from '@proj/contract';

import { type Grant, type VisibleModel, visibleModel } from '../catalogue/grant.ts';
import type { Attribute, Catalogue, Missing, Model, OrderTerm, ToOne } from '../catalogue/model.ts';
import { isRelationVisible } from '../catalogue/references.ts';
import {
  attributesOf,
  type Join,
  type Link,
  type NamedColumn,
  type RelatedValue,
} from './condition.ts';
import { groupColumn } from './group-names.ts';
import { type ListRows, withSession, type TableRows, tableRows } from './list-rows.ts';
import type { ListNames, ResolvedName, RelatedRecords } from './resolved-name.ts';
import { rowPolicyOf } from './plan-filter.ts';
import {
  relationHint,
  suggestion,
  tooFar,
  tooMany,
  unknownAttribute,
  unknownRelated,
} from './unknown-name.ts';
import type { ComputedValue } from '../catalogue/relation.ts';

/** What the names of one request share: numbers of joins, and what they lead to. */
export class RequestScope {
  readonly catalogue: Catalogue;
  readonly grant: Grant;
  readonly models = new Set<Model>();
  readonly computed = new Set<ComputedValue>();
  readonly related = new Map<string, RelatedValue>();
  /** The first of what the names need and the database lacks. */
  missing: Missing | undefined;
  readonly #paths = new Set<string>();
  #numbers = 0;

  constructor(catalogue: Catalogue, grant: Grant) {
    this.catalogue = catalogue;
    this.grant = grant;
  }

  nextNumber(): number {
    return this.#numbers++;
  }

  seen(name: string): VisibleModel | undefined {
    return visibleModel(this.catalogue, this.grant, name);
  }

  /** A model that rows are read of, with what its row policy names. */
  enter(seen: VisibleModel): void {
    this.models.add(seen.full);
    this.note(seen.full, attributesOf(rowPolicyOf(seen)));
  }

  note({ columns, missing }: Model, named: readonly NamedColumn[]): void {
    for (const { column } of named) {
      const value = columns.get(column)?.computed;
      if (value !== undefined) this.computed.add(value);
    }
    const { columns: lost = new Set() } = missing ?? {};
    if (lost === 'all' || named.some(({ column }) => lost.has(column))) this.missing ??= missing;
  }

  noteLink({ toOne, owner, target }: Link): void {
    if (toOne.isMissing === true) {
      const reason = `the relation ${toOne.name} of ${owner.name} no longer leads to one record.`;
      this.missing ??= { columns: 'all', reason };
    }
    const held = toOne.columns.map((column) => ({ column }));
    this.note(owner, held);
    this.note(target, toOne.key);
  }

  notes(path: string): boolean {
    this.#paths.add(path);
    return this.#paths.size <= RELATION_LIMITS.paths;
  }
}

interface Step {
  readonly toOne: ToOne;
  readonly owner: Model;
  readonly seen: VisibleModel;
}

/** Whole names go before paths. Hidden ones give the errors of unknown ones. */
export class Names implements ListNames {
  readonly model: Model;
  readonly #seen: VisibleModel;
  readonly #request: RequestScope;
  readonly #number: number | undefined;
  readonly #joins = new Map<string, Join>();
  /** Refused ones add no other error. */
  readonly #resolved = new Map<string, ResolvedName>();
  readonly #added: string[] = [];

  private constructor(seen: VisibleModel, request: RequestScope, number?: number) {
    this.model = seen.visible;
    this.#seen = seen;
    this.#request = request;
    this.#number = number;
  }

  static of(seen: VisibleModel, catalogue: Catalogue, grant: Grant): Names {
    const names = new Names(seen, new RequestScope(catalogue, grant));
    names.#request.enter(seen);
    return names;
  }

  /** Of records: groups have another. */
  noteOrder(): void {
    this.#request.note(this.#seen.full, [...this.defaultOrder, ...this.key]);
  }

  get joins(): Join[] {
    return [...this.#joins.values()];
  }

  get rows(): ListRows<TableRows> {
    const { grant, missing } = this.#request;
    const list = { ...tableRows(this.#seen.full, this.joins, this.#request), missing };
    return withSession(grant.session, list);
  }

  get defaultOrder(): readonly OrderTerm[] {
    return this.model.defaultOrder;
  }

  get key(): readonly OrderTerm[] {
    return this.model.key;
  }

  resolve(name: string, pointer: string): ResolvedName {
    const known = this.#resolved.get(name);
    if (known !== undefined) return known;
    const found = this.#follow(this.#seen.visible, name, []);
    if (found === undefined) return { error: this.#unknown(name, pointer) };
    const { steps, attribute } = found;
    const path = JSON.stringify([this.#number, steps.map(({ toOne }) => toOne.name)]);
    if (steps.length > 0 && !this.#request.notes(path)) return { error: tooMany(pointer) };
    const join = steps.reduce<Join | undefined>((from, step) => this.#join(step, from), undefined);
    const owner = steps.at(-1)?.seen ?? this.#seen;
    this.#request.note(owner.full, [attribute]);
    const number = join?.number ?? this.#number;
    const named: Attribute = {
      ...attribute,
      name,
      nullable: join !== undefined || attribute.nullable,
      ...(number !== undefined && { join: number }),
    };
    const resolved = { attribute: number === undefined ? attribute : named };
    this.#resolved.set(name, resolved);
    return resolved;
  }

  /** Names an attribute that the request adds to the listed rows. */
  relate(shown: Attribute, value: RelatedValue): void {
    const { columns } = this.#seen.full;
    const { related } = this.#request;
    const taken = new Set([...columns.keys(), ...related.keys()].map((one) => one.toLowerCase()));
    let column = 'r0';
    while (taken.has(column)) column = `r${Number(column.slice(1)) + 1}`;
    related.set(column, value);
    const { name, nullable } = shown;
    this.#resolved.set(name, { attribute: { ...groupColumn(shown, name, column), nullable } });
    this.#added.push(name);
  }

  refuse(name: string, error: RequestError): void {
    this.#resolved.set(name, { error });
  }

  referring(name: string, pointer: string): RelatedRecords | { error: RequestError } {
    const found = this.#leadingHere.find(({ toOne }) => toOne.inverse === name);
    if (found === undefined) return { error: unknownRelated(name, this, pointer) };
    if (!this.#request.notes(JSON.stringify([this.#number, name])))
      return { error: tooMany(pointer) };
    const { toOne, seen } = found;
    const number = this.#request.nextNumber();
    this.#request.enter(seen);
    const { full: target } = this.#seen;
    const link: Link = { toOne, owner: seen.full, target, number, from: this.#number };
    this.#request.noteLink(link);
    const names = new Names(seen, this.#request, number);
    return { ...link, names, policy: rowPolicyOf(seen, number) };
  }

  get inverses(): string[] {
    return this.#leadingHere.flatMap(({ toOne }) => toOne.inverse ?? []);
  }

  get #leadingHere(): { readonly toOne: ToOne; readonly seen: VisibleModel }[] {
    return [...this.#request.catalogue.keys()].flatMap((owner) => {
      const seen = this.#request.seen(owner);
      if (seen === undefined) return [];
      const leading = [...seen.visible.relations.values()].filter(
        (toOne) =>
          toOne.model === this.model.name && isRelationVisible(seen.visible, this.model, toOne),
      );
      return leading.map((toOne) => ({ toOne, seen }));
    });
  }

  #follow(
    model: Model,
    name: string,
    steps: readonly Step[],
  ): { readonly attribute: Attribute; readonly steps: readonly Step[] } | undefined {
    const attribute = model.attributes.get(name);
    if (attribute !== undefined) return { attribute, steps };
    if (steps.length === RELATION_LIMITS.steps) return undefined;
    const owner = steps.at(-1)?.seen.full ?? this.#seen.full;
    for (const toOne of model.relations.values()) {
      const seen = name.startsWith(`${toOne.name}.`) ? this.#seenTarget(model, toOne) : undefined;
      const rest = name.slice(toOne.name.length + 1);
      const found = seen && this.#follow(seen.visible, rest, [...steps, { toOne, owner, seen }]);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #seenTarget(model: Model, toOne: ToOne): VisibleModel | undefined {
    const seen = this.#request.seen(toOne.model);
    return seen !== undefined && isRelationVisible(model, seen.visible, toOne) ? seen : undefined;
  }

  #join({ toOne, owner, seen }: Step, from: Join | undefined): Join {
    const path = [...(from?.path ?? []), toOne.name];
    const key = JSON.stringify(path);
    const known = this.#joins.get(key);
    if (known !== undefined) return known;
    const number = this.#request.nextNumber();
    const join: Join = {
      number,
      path,
      from: from?.number ?? this.#number,
      toOne,
      owner,
      target: seen.full,
      policy: rowPolicyOf(seen, number),
    };
    this.#joins.set(key, join);
    this.#request.enter(seen);
    this.#request.noteLink(join);
    return join;
  }

  #unknown(name: string, pointer: string): RequestError {
    if (this.#leadsTooFar(this.model, name)) return tooFar(name, pointer);
    const unknown = unknownAttribute(name, this.model, pointer);
    const own = [...this.model.attributes.keys(), ...this.#added];
    const meant = this.#pathMeant(this.model, name) ?? suggestion(name, own).did_you_mean;
    const detail = `${unknown.detail}${this.hint(name)}`;
    return { ...unknown, detail, ...(meant !== undefined && { did_you_mean: meant }) };
  }

  /** How to use the visible relation that a name begins with; empty for any other name. */
  hint(name: string): string {
    const found = this.#targetsOf(this.model).find(({ relation }) => relation === name);
    return relationHint(name, [...(found?.target.attributes.keys() ?? [])], this.inverses);
  }

  #targetsOf(model: Model): { readonly relation: string; readonly target: Model }[] {
    return [...model.relations.values()].flatMap((toOne) => {
      const target = this.#seenTarget(model, toOne)?.visible;
      return target === undefined ? [] : [{ relation: toOne.name, target }];
    });
  }

  #leadsTooFar(model: Model, name: string, left: number = RELATION_LIMITS.steps): boolean {
    return this.#targetsOf(model).some(({ relation, target }) => {
      const rest = name.slice(relation.length + 1);
      const leadsOn = name.startsWith(`${relation}.`);
      return leadsOn && (left === 0 || this.#leadsTooFar(target, rest, left - 1));
    });
  }

  #pathMeant(
    model: Model,
    name: string,
    steps: number = RELATION_LIMITS.steps,
  ): string | undefined {
    const dot = name.indexOf('.');
    if (dot === -1 || steps === 0) return undefined;
    const targets = this.#targetsOf(model);
    const relations = targets.map(({ relation }) => relation);
    const meant = suggestion(name.slice(0, dot), relations).did_you_mean;
    const target = targets.find(({ relation }) => relation === meant)?.target;
    const rest = name.slice(dot + 1);
    const end =
      target &&
      (this.#pathMeant(target, rest, steps - 1) ??
        suggestion(rest, [...target.attributes.keys()]).did_you_mean);
    return end && `${meant}.${end}`;
  }
}
