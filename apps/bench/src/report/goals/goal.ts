import { formatNumber } from '../format.ts';

/** A figure that the service is to reach, on one database. */
export interface Goal {
  readonly name: string;
  readonly bound: { readonly least: number } | { readonly most: number };
  readonly value: number | undefined;
}

/** Whether a goal is reached; undefined where it was not measured. */
export function isReached({ bound, value }: Goal): boolean | undefined {
  if (value === undefined) return undefined;
  return 'least' in bound ? value >= bound.least : value <= bound.most;
}

/** `≥ 2`, or `≤ 1.5`. */
export function boundText({ bound }: Goal): string {
  return 'least' in bound ? `≥ ${bound.least}` : `≤ ${bound.most}`;
}

/** `2.35 yes`, or a dash. */
export function goalText(goal: Goal | undefined): string {
  const reached = goal && isReached(goal);
  return goal === undefined || reached === undefined
    ? '–'
    : `${formatNumber(goal.value)} ${reached ? 'yes' : 'no'}`;
}

export function least(name: string, bound: number, value: number | undefined): Goal {
  return { name, bound: { least: bound }, value };
}

export function most(name: string, bound: number, value: number | undefined): Goal {
  return { name, bound: { most: bound }, value };
}
