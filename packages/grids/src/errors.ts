/** What of a filter, sort or block cannot be had from the service. */
export interface Unmappable {
  /** The grid, as its makers write it. */
  readonly grid: string;
  /** The column or field; `null` where it is about no single one. */
  readonly column: string | null;
  /** The condition, as the grid calls it. */
  readonly condition: string;
  readonly reason: string;
  /** What to use instead. */
  readonly instead: string;
}

/**
 * A grid asks for what the service cannot answer exactly. Nothing was sent: a condition that is
 * left out would show other records than those asked for.
 */
export class MappingError extends Error {
  override readonly name = 'MappingError';
  readonly facts: Unmappable;

  constructor(facts: Unmappable) {
    const { grid, column, condition, reason, instead } = facts;
    const place = column === null ? '' : ` of ${JSON.stringify(column)}`;
    super(`${grid}: ${condition}${place}: ${reason}. Instead: ${instead}.`);
    this.facts = facts;
  }
}

/** A record has no name that a grid can know it by, or none has the name that a grid asks for. */
export class RowError extends Error {
  override readonly name = 'RowError';
  /** 404 where there is no such record, as react-admin and Refine look for it; otherwise 400. */
  readonly status: 400 | 404;
  readonly statusCode: 400 | 404;

  constructor(status: 400 | 404, message: string) {
    super(message);
    this.status = status;
    this.statusCode = status;
  }
}

/** A grid asks for a record to be written, which the service never does. */
export class ReadOnlyError extends Error {
  override readonly name = 'ReadOnlyError';
  /** The method that was called, such as `update`. */
  readonly method: string;

  constructor(grid: string, method: string) {
    super(
      `${grid}: ${method}: Dynamic Query only reads. Leave out the pages and buttons that ` +
        'create, edit or delete, or give them a data provider that writes.',
    );
    this.method = method;
  }
}

/** The methods of a data provider that would write. They reject with a {@link ReadOnlyError}. */
export type ReadOnlyMethods<Name extends string> = Readonly<Record<Name, () => Promise<never>>>;

export function readOnlyMethods<Name extends string>(
  grid: string,
  names: readonly Name[],
): ReadOnlyMethods<Name> {
  const refuse = (method: Name) => async (): Promise<never> => {
    throw new ReadOnlyError(grid, method);
  };
  return Object.fromEntries(names.map((name) => [name, refuse(name)])) as ReadOnlyMethods<Name>;
}

/** The list changed between the pages of one block, each time that it was read. */
export class ChangingListError extends Error {
  override readonly name = 'ChangingListError';

  constructor(model: string, attempts: number) {
    super(
      `${model} changed between the pages of one block, in each of ${attempts} attempts. ` +
        'Blocks that begin at a multiple of their size are one page, and cannot be torn.',
    );
  }
}
