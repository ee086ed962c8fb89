import type {
  ChangeMessage,
  RelationMessage,
  RowMessage,
  RowValues,
} from '../protocol/pgoutput.ts';

/** A key as the database prints it, in the order of its columns; null is NULL. */
export type KeyTexts = readonly (string | null)[];

export interface RowChange {
  readonly came?: KeyTexts;
  readonly went?: KeyTexts;
  /** The key of a changed row that kept it; then the only member. */
  readonly stays?: KeyTexts;
}

/** How many rows came, less those that went. */
export function deltaOf(rows: readonly RowChange[]): number {
  return rows.reduce((sum, { came, went }) => sum + (came ? 1 : 0) - (went ? 1 : 0), 0);
}

export interface RelationChange {
  /** The top transaction's 64-bit id. */
  readonly xid: bigint;
  readonly rows: readonly RowChange[];
  /** Rows are missing: TRUNCATE, too many, or no key. Totals and page indexes are forgotten. */
  readonly truncated: boolean;
}

function rowChangeOf(
  { kind, old, row }: RowMessage,
  { places, isIdentity }: Target,
): RowChange | undefined {
  const came = row && keyTexts(places, row, old);
  if (kind === 'insert') return came && { came };
  if (!isIdentity) return undefined;
  const went = old === undefined ? came : keyTexts(places, old);
  if (kind === 'delete') return went && { went };
  if (went === undefined || came === undefined) return undefined;
  return went.every((text, index) => text === came[index]) ? { stays: came } : { came, went };
}

/** Undefined if incomplete or not UTF-8. The row `before` has values that an update left out. */
function keyTexts(
  places: readonly number[],
  row: RowValues,
  before?: RowValues,
): KeyTexts | undefined {
  const texts: string[] = [];
  for (const place of places) {
    const written = row.text(place);
    const text = written === undefined ? before?.text(place) : written;
    if (typeof text !== 'string' || text.includes('\u{FFFD}')) return undefined;
    texts.push(text);
  }
  return texts;
}

export interface ChangedRelation {
  readonly key: readonly string[];
  readonly log: { append(change: RelationChange): void };
}

export interface WantedRelations {
  /** The table's relation, and all that it inherits from. */
  ofTable(oid: number): readonly ChangedRelation[];
  /** By name, which includes the schema. */
  named(name: string): readonly ChangedRelation[];
}

/** If a transaction changes more rows of a relation, none is listed. */
export const MOST_ROWS = 10_000;

/** A relation of a table, whose logged rows have its key. */
interface Target {
  readonly relation: ChangedRelation;
  /** The place of each key column in a row; -1 where missing. */
  readonly places: readonly number[];
  /** Whether changes of the key send the old row with its whole key. */
  readonly isIdentity: boolean;
}

interface ChangeInProgress {
  rows: RowChange[];
  truncated: boolean;
}

export class TransactionReader {
  readonly #wanted: WantedRelations;
  readonly #tables = new Map<number, RelationMessage>();
  readonly #targets = new Map<number, readonly Target[]>();
  readonly #changes = new Map<ChangedRelation, ChangeInProgress>();
  #lastXid: bigint;
  #xid = 0n;
  #transactions = 0;

  constructor(wanted: WantedRelations, lastXid: bigint) {
    this.#wanted = wanted;
    this.#lastXid = lastXid;
  }

  get transactions(): number {
    return this.#transactions;
  }

  read(message: ChangeMessage): void {
    switch (message.kind) {
      case 'begin':
        this.#xid = widenXid(message.xid, this.#lastXid);
        if (this.#xid > this.#lastXid) this.#lastXid = this.#xid;
        break;
      case 'commit':
        for (const [{ log }, change] of this.#changes) log.append({ xid: this.#xid, ...change });
        this.#changes.clear();
        this.#transactions += 1;
        break;
      case 'relation':
        this.#tables.set(message.oid, message);
        this.#targets.delete(message.oid);
        break;
      case 'truncate':
        for (const oid of message.oids)
          for (const relation of this.#wanted.ofTable(oid)) this.#truncate(relation);
        break;
      case 'following':
        for (const relation of this.#wanted.named(message.relation)) this.#changeOf(relation);
        break;
      case 'other':
        break;
      default:
        this.#readRow(message);
    }
  }

  relationsChanged(): void {
    this.#targets.clear();
  }

  #readRow(message: RowMessage): void {
    for (const target of this.#targetsOf(message.oid)) {
      const { relation } = target;
      const change = this.#changeOf(relation);
      if (change.truncated) continue;
      const row = rowChangeOf(message, target);
      if (row === undefined || change.rows.length >= MOST_ROWS) this.#truncate(relation);
      else change.rows.push(row);
    }
  }

  #truncate(relation: ChangedRelation): void {
    const change = this.#changeOf(relation);
    change.rows = [];
    change.truncated = true;
  }

  #changeOf(relation: ChangedRelation): ChangeInProgress {
    const known = this.#changes.get(relation);
    if (known !== undefined) return known;
    const change = { rows: [], truncated: false };
    this.#changes.set(relation, change);
    return change;
  }

  #targetsOf(oid: number): readonly Target[] {
    const known = this.#targets.get(oid);
    if (known !== undefined) return known;
    const table = this.#tables.get(oid);
    if (table === undefined) throw new RangeError('The change log wrote to an unknown table.');
    const { columns } = table;
    const targets = this.#wanted.ofTable(oid).map((relation) => {
      const places = relation.key.map((key) => columns.findIndex(({ name }) => name === key));
      const isIdentity = places.every((place) => columns[place]?.isIdentity === true);
      return { relation, places, isIdentity };
    });
    this.#targets.set(oid, targets);
    return targets;
  }
}

const RANGE = 2n ** 32n;

/** Completes the low half of an id by a recent one: ids in use are less than 2^31 apart. */
export function widenXid(low: number, near: bigint): bigint {
  return near + BigInt.asIntN(32, BigInt(low) - (near % RANGE));
}
