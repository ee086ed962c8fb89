import { isOperator, type Operator } from '../operators.ts';
import { INFIX_OPERATORS, printName } from '../text/print-filter.ts';
import { ExpressionError } from './expression-error.ts';
import type { Expression, Literal, RelatedTerm } from './expression.ts';
import { type Token, tokenize } from './tokens.ts';

/** Of parentheses and `not`; the service allows far fewer. */
const DEEPEST = 64;

interface Infix {
  readonly op: Operator;
  /** The second word, as in `starts with`. */
  readonly second?: string | undefined;
}

/** By sign or first word. */
const INFIX: ReadonlyMap<string, Infix> = new Map<string, Infix>([
  ...Object.entries(INFIX_OPERATORS).flatMap(([op, text]) => {
    const [first = '', second] = text.split(' ');
    return isOperator(op) && op !== 'is_distinct' ? [[first, { op, second }] as const] : [];
  }),
  ['==', { op: 'eq' }],
  ['<>', { op: 'ne' }],
]);

/** Behind these words `some` and `none` are names of attributes. */
const OPERATOR_WORDS: ReadonlySet<string> = new Set([
  ...INFIX.keys(),
  'in',
  'not',
  'between',
  'is',
]);

const OPERATORS_HINT = 'such as =, !=, <, <=, >, >=, in, between, is null, contains or starts with';

const RELATED_EXAMPLE =
  '"orders_count = count orders" or "last = max orders.placed_at where amount > 10"';

type MakeLeaf = (op: Operator, operands: readonly Literal[], zone?: string) => Expression;

/**
 * Reads `a >= 1 and (b = 'NL' or c is not null)`, and `some orders (status = 'open')` or `none
 * orders` on related records. `not` binds tightest, then `and`; letter case of words is free.
 *
 * @throws {ExpressionError} at the first error.
 */
export function parseExpression(text: string): Expression {
  return new Parser(tokenize(text)).parse();
}

/**
 * Reads `last = max orders.placed_at where amount > 10`, whatever the names are.
 *
 * @throws {ExpressionError} at the first error.
 */
export function parseRelated(text: string): RelatedTerm {
  return new Parser(tokenize(text)).parseRelated();
}

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): Expression {
    const expression = this.#group('or');
    this.#expectEnd('"and", "or" or the end. Texts go in quotes.');
    return expression;
  }

  parseRelated(): RelatedTerm {
    const { text: name } = this.#name();
    this.#expectSign('=');
    const { text: op, at: opAt } = this.#name();
    const { text: path, at } = this.#name();
    const part = this.#takeWord('where') ? this.#group('or') : undefined;
    this.#expectEnd(part === undefined ? '"where" or the end.' : '"and", "or" or the end.');
    return { name, op, opAt, path, at, part };
  }

  #name(): Token {
    const token = this.#take();
    if (token.kind === 'word' || token.kind === 'name') return token;
    throw new ExpressionError(token.at, `expected a text such as ${RELATED_EXAMPLE}.`);
  }

  #group(kind: 'or' | 'and'): Expression {
    const parts: Expression[] = [];
    do parts.push(kind === 'or' ? this.#group('and') : this.#unary());
    while (this.#takeWord(kind));
    const [only] = parts;
    return parts.length === 1 && only ? only : { kind, parts };
  }

  #unary(): Expression {
    const { at } = this.#peek();
    const opens = this.#takeSign('(') ? '(' : this.#takeWord('not') ? 'not' : undefined;
    if (opens === undefined) return this.#related() ?? this.#comparison();
    this.#depth += 1;
    if (this.#depth > DEEPEST)
      throw new ExpressionError(at, `nested more than ${DEEPEST} levels deep.`);
    const inner: Expression =
      opens === 'not' ? { kind: 'not', part: this.#unary() } : this.#group('or');
    if (opens === '(') this.#expectSign(')');
    this.#depth -= 1;
    return inner;
  }

  /** `some orders`, `none orders (…)`; undefined where the word names an attribute. */
  #related(): Expression | undefined {
    const { kind: token, text, at } = this.#peek();
    const word = token === 'word' ? text.toLowerCase() : '';
    if (word !== 'some' && word !== 'none') return undefined;
    const { kind, text: related } = this.#tokens[this.#next + 1] ?? { kind: 'end', text: '' };
    const isName = kind === 'name' || (kind === 'word' && !isOperatorWord(related));
    if (!isName) return undefined;
    this.#next += 2;
    const opens = this.#peek();
    if (opens.kind === 'name' || (opens.kind === 'word' && !/^(?:and|or)$/i.test(opens.text)))
      throw new ExpressionError(opens.at, `expected "(", as in ${word} ${printName(related)} (…).`);
    const part = opens.kind === 'sign' && opens.text === '(' ? this.#unary() : undefined;
    return { kind: word, related, part, at };
  }

  #comparison(): Expression {
    const { kind, text: attribute, at } = this.#take();
    const reserved = kind === 'word' && /^(?:and|or|not)$/i.test(attribute);
    if ((kind !== 'word' && kind !== 'name') || reserved) {
      throw new ExpressionError(
        at,
        'expected the name of an attribute. Other names than plain words go in backticks: ' +
          '`my name`',
      );
    }
    return this.#operation((op, operands, zone) => ({
      kind: 'comparison',
      attribute,
      op,
      operands,
      zone,
      at,
    }));
  }

  #operation(leaf: MakeLeaf): Expression {
    const { kind, text, at } = this.#take();
    const word = kind === 'word' || kind === 'sign' ? text.toLowerCase() : '';
    const infix = INFIX.get(word);
    if (infix !== undefined) {
      if (infix.second !== undefined) this.#expectWord(infix.second);
      if (infix.op === 'has' && this.#takeWord('any')) return leaf('has_any', this.#list());
      if (infix.op === 'has' && this.#takeWord('all')) return leaf('has_all', this.#list());
      const operands = [this.#value()];
      return leaf(infix.op, operands, infix.op === 'on' ? this.#zone() : undefined);
    }
    if (word === 'in') return leaf('in', this.#list());
    if (word === 'not') return (this.#expectWord('in'), leaf('not_in', this.#list()));
    if (word === 'between') return leaf('between', this.#pair());
    if (word === 'is') return this.#is(leaf);
    throw new ExpressionError(at, `expected an operator, ${OPERATORS_HINT}.`);
  }

  /** `at time zone 'Europe/Paris'` behind a day. */
  #zone(): string | undefined {
    if (!this.#takeWord('at')) return undefined;
    this.#expectWord('time');
    this.#expectWord('zone');
    const { kind, text, at } = this.#take();
    if (kind === 'text') return text;
    throw new ExpressionError(at, "expected a time zone in quotes, such as 'Europe/Paris'.");
  }

  #is(leaf: MakeLeaf): Expression {
    const not = this.#takeWord('not');
    const { at } = this.#peek();
    if (this.#takeWord('null')) return leaf('is_null', [{ kind: 'truth', truth: !not, at }]);
    if (!this.#takeWord('distinct'))
      throw new ExpressionError(at, 'expected "null", "not null" or "distinct from".');
    this.#expectWord('from');
    const distinct = leaf('is_distinct', [this.#value({ orNull: true })]);
    return not ? { kind: 'not', part: distinct } : distinct;
  }

  #pair(): Literal[] {
    const first = this.#value();
    this.#expectWord('and');
    return [first, this.#value()];
  }

  #list(): Literal[] {
    this.#expectSign('(');
    const values = [this.#value()];
    while (this.#takeSign(',')) values.push(this.#value());
    this.#expectSign(')');
    return values;
  }

  #value({ orNull = false } = {}): Literal {
    const { kind, text, at } = this.#take();
    if (kind === 'text' || kind === 'number') return { kind, text, at };
    const word = kind === 'word' ? text.toLowerCase() : '';
    if ((word === 'number' || word === 'bytes') && this.#peek().kind === 'text')
      return { kind: 'form', form: word, text: this.#take().text, at };
    if (word === 'true' || word === 'false') return { kind: 'truth', truth: word === 'true', at };
    if (word === 'null' && orNull) return { kind: 'null', at };
    if (word === 'null')
      throw new ExpressionError(at, 'nothing is equal to NULL. Write "is null" or "is not null".');
    const hint =
      kind === 'word' ? ` Texts go in quotes: '${text}'` : " Texts go in quotes: 'Paris'";
    throw new ExpressionError(at, `expected a value.${hint}`);
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? { kind: 'end', text: '', at: 0 };
  }

  #take(): Token {
    const token = this.#peek();
    if (token.kind !== 'end') this.#next += 1;
    return token;
  }

  #takeWord(word: string): boolean {
    const { kind, text } = this.#peek();
    const found = kind === 'word' && text.toLowerCase() === word;
    if (found) this.#next += 1;
    return found;
  }

  #takeSign(sign: string): boolean {
    const { kind, text } = this.#peek();
    const found = kind === 'sign' && text === sign;
    if (found) this.#next += 1;
    return found;
  }

  #expectEnd(expected: string): void {
    const { kind, at } = this.#peek();
    if (kind !== 'end') throw new ExpressionError(at, `expected ${expected}`);
  }

  #expectWord(word: string): void {
    if (!this.#takeWord(word)) throw new ExpressionError(this.#peek().at, `expected "${word}".`);
  }

  #expectSign(sign: string): void {
    if (!this.#takeSign(sign)) throw new ExpressionError(this.#peek().at, `expected "${sign}".`);
  }
}

function isOperatorWord(text: string): boolean {
  return OPERATOR_WORDS.has(text.toLowerCase());
}
