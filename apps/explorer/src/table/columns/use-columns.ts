import type { AttributeEntry } from '@proj/client';
import { type ColumnDef, rowSortingFeature, tableFeatures, useTable } from '@tanstack/preact-table';
import { useMemo } from 'preact/hooks';

import type { ExactRecord } from '../../values/exact-record.ts';
import type { SortTerm } from '../../state/view-state.ts';

const features = tableFeatures({ rowSortingFeature });

interface ColumnsOf {
  readonly attributes: readonly AttributeEntry[];
  readonly records: readonly ExactRecord[];
  readonly sort: readonly SortTerm[];
  readonly onSort: (sort: readonly SortTerm[]) => void;
}

/**
 * The table of a page. The service sorts and pages; the table only knows in which order it is, and
 * what a click makes of that.
 */
export function useColumns({ attributes, records, sort, onSort }: ColumnsOf) {
  const columns = useMemo(() => attributes.map(columnOf), [attributes]);
  const data = useMemo(() => [...records], [records]);
  const sorting = useMemo(
    () => sort.map(({ attribute, direction }) => ({ id: attribute, desc: direction === 'desc' })),
    [sort],
  );
  return useTable({
    features,
    columns,
    data,
    manualSorting: true,
    state: { sorting },
    onSortingChange: (update) => {
      const next = typeof update === 'function' ? update(sorting) : update;
      onSort(
        next.map(({ id, desc }) => ({
          ...sort.find(({ attribute }) => attribute === id),
          attribute: id,
          direction: desc ? 'desc' : 'asc',
        })),
      );
    },
  });
}

function columnOf({ name, sortable }: AttributeEntry): ColumnDef<typeof features, ExactRecord> {
  return {
    id: name,
    accessorFn: (row) => row[name],
    enableSorting: sortable,
    sortDescFirst: false,
  };
}
