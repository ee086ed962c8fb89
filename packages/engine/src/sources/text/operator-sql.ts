import type { WireType } from '@proj/contract';

import type { AskedColumn, AskedSelection, Refused } from '../../catalogue/described-column.ts';

export interface SqlWords {
  /** Whether `[…]` quotes a name. Default: false. */
  readonly brackets?: boolean;
  /** Whether `$…$` quotes a text. Default: false. */
  readonly dollars?: boolean;
  /** Characters that begin a parameter, a variable or a comment. */
  readonly refused: string;
}

/** A backslash before a quote: some servers take it for an escape, others don't. */
const QUOTED = [
  String.raw`'(?:[^'\\]|''|\\(?!'))*'`,
  String.raw`"(?:[^"\\]|""|\\(?!"))*"`,
  '`(?:[^`]|``)*`',
];
const NAME = String.raw`[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*`;
const DOLLARS = String.raw`\$(?<tag>\w*)\$[\s\S]*?\$\k<tag>\$`;
const BRACKETS = String.raw`\[[^\]]*\]`;

/** Why the operator's text is not one expression or statement within parentheses. Follows "It". */
export function refusedSql(
  text: string,
  { brackets = false, dollars = false, refused }: SqlWords,
): string | undefined {
  let open = 0;
  for (const found of piecesOf(text, { brackets, dollars })) {
    if (found === '(') open += 1;
    if (found === ')') open -= 1;
    if (open < 0) return 'closes a parenthesis that it does not open';
    const why = whyRefused(found, refused);
    if (why !== undefined) return why;
  }
  if (open > 0) return 'leaves a parenthesis open';
  return text.trim() === '' ? 'is empty' : undefined;
}

/** Without texts, but for those that mean the time. A quoted name is no word, unless called. */
export function plainSql(text: string, words: Pick<SqlWords, 'brackets' | 'dollars'>): string {
  const pieces = piecesOf(text, words);
  const plain = pieces.map((piece, index) => {
    if (piece.length < 2) return piece;
    if (/^['$]/.test(piece)) return TIMES.test(piece) ? piece : "''";
    if (!/^["`[]/.test(piece)) return piece;
    const name = piece.slice(1, -1).replaceAll(/\W/gu, '_');
    const next = pieces.find((one, place) => place > index && one.trim() !== '');
    return next === '(' ? name : `_${name}_`;
  });
  return plain.join('');
}

/** Names before parentheses, with `_` in place of what is no letter, digit or `_` of ASCII. */
export function calledNames(text: string, words: Pick<SqlWords, 'brackets' | 'dollars'>): string[] {
  const calls = plainSql(text, words).matchAll(/([\w$\u0080-\u{10ffff}]+)\s*\(/gu);
  return [...calls].map(([, name = '']) => name.replaceAll(/\W/gu, '_').toLowerCase());
}

const TIMES = /^'(?:now|today|tomorrow|yesterday|subsec(?:ond)?)'$/i;

function piecesOf(
  text: string,
  { brackets = false, dollars = false }: Pick<SqlWords, 'brackets' | 'dollars'>,
): string[] {
  const whole = [NAME, ...QUOTED, ...(dollars ? [DOLLARS] : []), ...(brackets ? [BRACKETS] : [])];
  const piece = new RegExp(`${whole.join('|')}|--|/\\*|\\*/|[\\s\\S]`, 'gu');
  return [...text.matchAll(piece)].map(([found]) => found);
}

function whyRefused(piece: string, refused: string): string | undefined {
  if (piece === ';') return 'has a semicolon';
  if (['--', '/*', '*/'].includes(piece)) return 'has a comment';
  if (["'", '"', '`'].includes(piece))
    return 'has a quote that nothing closes, or a backslash before one';
  if (piece === '\0') return 'has the character U+0000';
  if (piece.length === 1 && refused.includes(piece))
    return `has ${JSON.stringify(piece)}, which begins a parameter, a variable or a comment`;
  return undefined;
}

/** What a database knows of texts of the operator. */
export interface OperatorRules {
  /** Begins what it says of them. */
  readonly name: string;
  readonly words: SqlWords;
  /** Wire types that it computes. */
  readonly types: readonly string[];
  /** Types whose values are all among another's, or travel alike. Default: none. */
  readonly wider?: Readonly<Partial<Record<WireType, readonly WireType[]>>>;
  readonly varying: RegExp;
  readonly clocks: RegExp;
}

/** Undefined where nothing can be seen against the column before the database looks at it. */
export function refusedColumn(
  { sql, type, isOfRow, isOwn = false }: AskedColumn,
  rules: OperatorRules,
): Refused | undefined {
  if (type === undefined || !rules.types.includes(type)) {
    const problem = type === undefined ? 'It has no type.' : `No expression is of type ${type}.`;
    return { problem, remedy: `Say "type", one of: ${rules.types.join(', ')}.` };
  }
  if (isOwn) return undefined;
  const why = refusedSql(sql, rules.words);
  if (why !== undefined)
    return { problem: `It ${why}.`, remedy: 'Write one expression over the columns of its row.' };
  if (isOfRow && /\bselect\b/i.test(plainSql(sql, rules.words))) return OTHER_ROWS;
  return refusedCalls(sql, rules, isOfRow);
}

export function refusedSelection(
  { sql, isVersioned }: AskedSelection,
  rules: OperatorRules,
): Refused | undefined {
  const why = refusedSql(sql, rules.words);
  if (why !== undefined) return { problem: `It ${why}.`, remedy: 'Write one `select`.' };
  const plain = plainSql(sql, rules.words);
  if (!/^\s*(?:select|with|values)\b/i.test(plain))
    return { problem: 'It selects nothing.', remedy: 'Begin it with `select` or `with`.' };
  if (/\b(?:into|for\s+(?:no\s+key\s+)?(?:update|share|key)|lock\s+in)\b/i.test(plain))
    return { problem: 'It writes, or locks what it reads.', remedy: 'Leave that out.' };
  return refusedCalls(sql, rules, isVersioned);
}

/** @param isVersioned whether the settings say what its values depend on */
function refusedCalls(
  sql: string,
  { words, varying, clocks }: OperatorRules,
  isVersioned: boolean,
): Refused | undefined {
  const plain = plainSql(sql, words);
  const [call] = varying.exec(plain) ?? [];
  if (call !== undefined) return varyingCall(call);
  const [clock] = (isVersioned ? clocks.exec(plain) : null) ?? [];
  if (clock === undefined) return undefined;
  const problem = `It depends on the time: ${nameOf(clock)}.`;
  return { problem, remedy: 'Leave `reads` out: its lists have no version then.' };
}

export function varyingCall(call: string): Refused {
  const problem = `It calls ${nameOf(call)}, whose result may differ each time.`;
  return { problem, remedy: 'Leave it out, or call a function that is declared to be stable.' };
}

function nameOf(call: string): string {
  return call.replace(/\s*\($/, '');
}

export interface PlacedSql {
  readonly before: string;
  readonly text: string;
  readonly after: string;
}

export function sqlOf({ before, text, after }: PlacedSql): string {
  return `${before}${text}${after}`;
}

/** Statements over the rows of an asked column, which are named `t`. */
export function statementsOf(
  { relation, selection, sql: text }: AskedColumn,
  quoted: (name: string) => string,
): { readonly value: PlacedSql; readonly condition: PlacedSql } {
  const read = selection === undefined ? relation.map(quoted).join('.') : `(${selection.sql})`;
  const rows = `${read} as ${quoted('t')}`;
  return {
    value: { before: 'select (', text, after: `\n) as ${quoted('x')} from ${rows}` },
    // No aggregate is part of one.
    condition: {
      before: `select null from ${rows} where (`,
      text,
      after: '\n) is not null limit 0',
    },
  };
}

/** @param messageOf what the database says of the text; undefined for any other error */
export async function tried<Answer>(
  ask: () => Promise<Answer>,
  { name }: OperatorRules,
  messageOf: (error: unknown) => string | undefined,
): Promise<Answer | Refused> {
  try {
    return await ask();
  } catch (error) {
    const message = messageOf(error);
    if (message === undefined) throw error;
    return failed(`${name} says: ${message}.`);
  }
}

export function failed(problem: string): Refused {
  const remedy = 'Correct it. Of an attribute, the row is `t`: `t.price`, or `price`.';
  return { problem, remedy };
}

/** Undefined where values of one type can be taken for another's. */
export function otherType(
  actual: WireType,
  type: WireType,
  { name, wider = {} }: OperatorRules,
): Refused | undefined {
  if (actual === type || wider[actual]?.includes(type) === true) return undefined;
  return {
    problem: `${name} computes values of type ${actual}, not ${type}.`,
    remedy: `Write "type: ${actual}", or cast it in the expression.`,
  };
}

const OTHER_ROWS: Refused = {
  problem: 'It selects from other rows, so it does not read its row alone.',
  remedy: 'Leave `reads` out: its lists have no version then.',
};
