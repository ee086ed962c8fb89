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
