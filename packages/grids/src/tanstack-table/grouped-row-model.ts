import { groupOf } from './group-row.ts';

/** As much of a row of a table as is used. */
interface TableRow {
  readonly original: object;
  groupingColumnId?: string | undefined;
  groupingValue?: unknown;
}

/** As much of a row model as is used. */
interface RowModel {
  readonly flatRows: readonly TableRow[];
}

/**
 * A grouped row model of rows that the service has grouped, in place of the table's own
 * (`createGroupedRowModel()`, `getGroupedRowModel()` before version 9): `getIsGrouped` and the like
 * then know the groups. The table needs `getSubRows: (row) => row.$group?.rows`, and no
 * `manualGrouping`, which would leave the model out.
 */
export function groupedRowModel(): <Model extends RowModel>(table: {
  getPreGroupedRowModel(): Model;
}) => () => Model {
  return (table) => () => {
    const model = table.getPreGroupedRowModel();
    for (const row of model.flatRows) {
      const group = groupOf(row.original);
      row.groupingColumnId = group?.column;
      row.groupingValue = group?.value;
    }
    return model;
  };
}
