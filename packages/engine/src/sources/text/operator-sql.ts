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

/**
 * Why a text of the operator is no single expression or statement; undefined where it is one, and
 * cannot end the parentheses around it. Follows "It".
 */
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

/**
 * The same without the texts in it, but for those that mean the time, and quotes of names. A name
 * in quotes is no word of SQL, unless it is called.
 */
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
