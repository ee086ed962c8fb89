import { namesOf, withoutNames } from './view-rule.ts';

/** What begins and ends nodes, and the columns of queries further out. */
const PARTS = /\{([A-Z_]+)|\}|:varlevelsup (\d+)/g;

/** The numbers of `json` and `jsonb`. */
const JSON_CAST = /\{COERCEVIAIO :arg .*?:resulttype (?:114|3802) /s;

/** What the expression of a policy evaluates for each row. */
export interface RowCalls {
  /** Functions, each by its number. */
  readonly functions: readonly string[];
  /** Whether a text is read as JSON. */
  readonly readsJson: boolean;
}

/**
 * Reads the expression of a policy, as `pg_policy.polqual` has it. A subquery that names no column
 * of the row is evaluated once.
 */
export function rowCalls(expression: string): RowCalls {
  const ofRow = withoutOnce(withoutNames(expression));
  return { functions: namesOf(ofRow, /:funcid (\d+)/g), readsJson: JSON_CAST.test(ofRow) };
}

/** An outermost subquery that is open. */
interface OpenSubquery {
  readonly start: number;
  namesRow: boolean;
}

function withoutOnce(expression: string): string {
  const open: string[] = [];
  let kept = '';
  let keptTo = 0;
  let outermost: OpenSubquery | undefined;
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
