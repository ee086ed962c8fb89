import type { ModelName, Row, TableName } from './models.ts';

/**
 * What happens to one row of a table: `before` is missing where it appears, `after` where it goes.
 */
export interface Edit {
  readonly table: TableName;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

/** What happens to one record of a model. */
export type Change = Omit<Edit, 'table'>;

/** What one commit does to each model. */
export type Changes = Readonly<Record<ModelName, readonly Change[]>>;

/** The rows of the newest state: of the tables, and of the view that joins them. */
export class World {
  readonly tasks = new Map<number, Row>();
  readonly owners = new Map<number, Row>();
  readonly owned_tasks = new Map<number, Row>();

  /** Makes the edits of one commit. @returns what they do to each model. */
  apply(edits: readonly Edit[]): Changes {
    const tasks = edits.filter(({ table }) => table === 'tasks');
    const owners = edits.filter(({ table }) => table === 'owners');
    for (const { before, after, table } of edits) replace(this[table], { before, after });
    const touched = new Set(
      owners.flatMap(({ before, after }) => [before?.id ?? 0, after?.id ?? 0]),
    );
    const joined =
      touched.size === 0
        ? []
        : [...this.tasks.values()].filter(({ owner }) => touched.has(Number(owner)));
    const ids = new Set([
      ...tasks.map(({ before, after }) => (before ?? after)?.id ?? 0),
      ...joined.map(({ id }) => id),
    ]);
    return { tasks, owners, owned_tasks: [...ids].map((id) => this.#join(id)) };
  }

  #join(id: number): Change {
    const task = this.tasks.get(id);
    const owner = task && this.owners.get(Number(task['owner']));
    const after = task && owner && joinedRow(task, owner);
    const change = { before: this.owned_tasks.get(id), after };
    replace(this.owned_tasks, change);
    return change;
  }
}

function joinedRow(
  { id, owner = null, grade = null, word = null }: Row,
  { title = null }: Row,
): Row {
  return { id, owner, grade, word, title };
}

function replace(rows: Map<number, Row>, { before, after }: Change): void {
  if (before !== undefined) rows.delete(before.id);
  if (after !== undefined) rows.set(after.id, after);
}
