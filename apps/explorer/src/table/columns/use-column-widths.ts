import type { AttributeEntry } from '@proj/client';
import { useRef } from 'preact/hooks';

import { columnWidth } from './column-widths.ts';
import type { LoadedPage } from '../../state/use-page.ts';

/**
 * The widths of the columns, in digits. Once a model's column has one, it keeps it: turning pages
 * moves nothing.
 */
export function useColumnWidths(
  attributes: readonly AttributeEntry[],
  page: LoadedPage | null,
): readonly number[] {
  const known = useRef({ model: '', widths: new Map<string, number>() });
  if (page !== null && known.current.model !== page.query.model)
    known.current = { model: page.query.model, widths: new Map() };
  const { widths } = known.current;
  return attributes.map((attribute) => {
    const records = page?.records ?? [];
    const width = widths.get(attribute.name) ?? columnWidth(attribute, records);
    if (records.some((record) => record[attribute.name] !== undefined))
      widths.set(attribute.name, width);
    return width;
  });
}
