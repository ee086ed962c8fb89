/** SQL text with its parameters, ready to send. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** A place in a statement's parameters that is filled for each page. */
export type Slot =
  | { readonly slot: 'limit' | 'offset' }
  | { readonly slot: 'key'; readonly index: number };

/**
 * SQL text some of whose parameters are slots. It is plain data, so that it can travel to another
 * process.
 */
export interface Template {
  readonly sql: string;
  /** Values, and {@link Slot}s. */
  readonly parameters: readonly unknown[];
}

/** What fills the slots, in the form in which the database binds it. */
export interface Filling {
  readonly limit: unknown;
  readonly offset: unknown;
  /** The values of the key to seek, for templates that seek one. */
  readonly key?: readonly unknown[];
}

export const LIMIT: Slot = Object.freeze({ slot: 'limit' });
export const OFFSET: Slot = Object.freeze({ slot: 'offset' });

/** The statement that a template makes. */
export function fill({ sql, parameters }: Template, filling: Filling): Statement {
  return {
    sql,
    parameters: parameters.map((parameter) =>
      isSlot(parameter) ? valueOf(parameter, filling) : parameter,
    ),
  };
}

function valueOf(slot: Slot, { key = [], ...window }: Filling): unknown {
  return slot.slot === 'key' ? key[slot.index] : window[slot.slot];
}

function isSlot(parameter: unknown): parameter is Slot {
  return typeof parameter === 'object' && parameter !== null && 'slot' in parameter;
}
