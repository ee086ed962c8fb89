/** As much of the condition of one column as is read; `FilterModel` of AG Grid has these. */
export interface AgCondition {
  readonly filterType?: string;
  readonly type?: string | null;
  readonly filter?: unknown;
  readonly filterTo?: unknown;
  readonly dateFrom?: string | null;
  readonly dateTo?: string | null;
  readonly values?: readonly (string | null)[];
  readonly operator?: string;
  readonly conditions?: readonly AgCondition[];
  readonly filterModels?: readonly (AgCondition | null)[] | null;
}

/** What AG Grid's `filterParams` say of conditions, where they differ from its defaults. */
export interface AgFilterParams {
  /** As in the grid's `filterParams`: of text and set filters. @default false */
  readonly caseSensitive?: boolean;
  /** As in the grid's `filterParams`. @default false */
  readonly inRangeInclusive?: boolean;
  /** As in the grid's `filterParams`. @default false */
  readonly includeBlanksInEquals?: boolean;
  /** As in the grid's `filterParams`. @default false */
  readonly includeBlanksInNotEqual?: boolean;
  /** As in the grid's `filterParams`. @default false */
  readonly includeBlanksInLessThan?: boolean;
  /** As in the grid's `filterParams`. @default false */
  readonly includeBlanksInGreaterThan?: boolean;
  /** As in the grid's `filterParams`. @default false */
  readonly includeBlanksInRange?: boolean;
}
