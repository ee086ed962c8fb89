import type { AttributeEntry } from '@proj/client';
import { groupDigits } from '@proj/contract';

import { ownOf } from '../../state/browser-store.ts';
import type { ColumnLayout } from '../../state/column-layout.ts';
import type { LoadedPage } from '../../state/use-page.ts';
import { useColumnWidths } from './use-column-widths.ts';

/** Where the columns are, as lengths of CSS. */
export interface ColumnPlaces {
  readonly numbers: string;
  readonly widths: readonly string[];
  readonly total: string;
  /** How far a pinned column stays from the left; undefined for those that scroll. */
  readonly lefts: readonly (string | undefined)[];
}

/** Lengths in digits and in pixels, as far as they are added up. */
interface Length {
  readonly digits: number;
  readonly pixels: number;
}

/** The places of the columns: those that the reader sized are in pixels, the others in digits. */
export function useColumnPlaces(
  attributes: readonly AttributeEntry[],
  page: LoadedPage | null,
  { widths: sized, pinned }: ColumnLayout,
): ColumnPlaces {
  const fitting = useColumnWidths(attributes, page);
  // Wide enough for the last record of the list, so that no page makes it wider.
  const digits = Math.max(5, groupDigits(page?.total ?? 0n).length + 2);
  let sum: Length = { digits, pixels: 0 };
  const columns = attributes.map(({ name }, index) => {
    const pixels = ownOf(sized, name);
    const left = pinned.includes(name) ? css(sum) : undefined;
    const width =
      pixels === undefined ? { digits: fitting[index] ?? 0, pixels: 0 } : { digits: 0, pixels };
    sum = { digits: sum.digits + width.digits, pixels: sum.pixels + width.pixels };
    return { width: css(width), left };
  });
  return {
    numbers: `${digits}ch`,
    widths: columns.map(({ width }) => width),
    total: css(sum),
    lefts: columns.map(({ left }) => left),
  };
}

function css({ digits, pixels }: Length): string {
  return `calc(${digits}ch + ${pixels}px)`;
}
