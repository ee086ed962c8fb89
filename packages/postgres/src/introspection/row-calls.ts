import { namesOf, withoutNames } from './view-rule.ts';

/** The ends of nodes, and columns of outer queries. */
const PARTS = /\{([A-Z_]+)|\}|:varlevelsup (\d+)/g;

/** The type numbers of `json` and `jsonb`. */
const JSON_CAST = /\{COERCEVIAIO :arg .*?:resulttype (?:114|3802) /s;

export interface RowCalls {
  readonly functions: readonly string[];
  readonly readsJson: boolean;
}

/** Reads `pg_policy.polqual`. A subquery without the row's columns is evaluated once. */
export function rowCalls(expression: string): RowCalls {
  const ofRow = withoutOnce(withoutNames(expression));
  return { functions: namesOf(ofRow, /:funcid (\d+)/g), readsJson: JSON_CAST.test(ofRow) };
}

function withoutOnce(expression: string): string {
  const open: string[] = [];
  let kept = '';
  let keptTo = 0;
  let outermost: { readonly start: number; namesRow: boolean } | undefined;
  for (const { 0: part, 1: node, 2: levels, index } of expression.matchAll(PARTS)) {
    if (node !== undefined) {
      open.push(node);
      if (node === 'QUERY') outermost ??= { start: index, namesRow: false };
    } else if (part === '}') {
      open.pop();
      if (outermost === undefined || open.includes('QUERY')) continue;
      if (!outermost.namesRow) {
        kept += expression.slice(keptTo, outermost.start);
        keptTo = index + 1;
      }
      outermost = undefined;
    } else if (outermost !== undefined) {
      outermost.namesRow ||= Number(levels) === open.filter((one) => one === 'QUERY').length;
    }
  }
  return kept + expression.slice(keptTo);
}
