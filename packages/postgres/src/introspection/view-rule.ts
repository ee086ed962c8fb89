/** Catalogue numbers that the rule of a view or policy refers to. */
export interface Rule {
  /** Why rows may differ while the data does not; undefined if they can't. */
  readonly refusal: string | undefined;
  readonly relations: readonly string[];
  readonly functions: readonly string[];
  readonly operators: readonly string[];
}

/** Nodes that are pure if their functions and operators are. PostgreSQL 16 renamed some. */
const PURE_NODES: ReadonlySet<string> = new Set(
  `ALIAS ARRAY ARRAYEXPR BOOLEANTEST BOOLEXPR CASE CASEEXPR CASETESTEXPR CASEWHEN COALESCE
  COALESCEEXPR COLLATE COLLATEEXPR COMMONTABLEEXPR CONST DISTINCTEXPR FROMEXPR FUNCEXPR
  JOINEXPR NULLIFEXPR NULLTEST OPEXPR PARAM QUERY RANGETBLENTRY RANGETBLFUNCTION
  RANGETBLREF RELABELTYPE RTE RTEPERMISSIONINFO SCALARARRAYOPEXPR SETOPERATIONSTMT
  SORTGROUPCLAUSE SUBLINK TARGETENTRY VAR WHEN`.split(/\s+/),
);

/** The result depends on these beside the rows, such as on their order, which may vary. */
const REFUSED_PARTS: readonly (readonly [RegExp, string])[] = [
  [/:hasAggs true|:groupClause [^<]|:groupingSets [^<]/, 'it groups rows'],
  [/:hasWindowFuncs true/, 'it has window functions'],
  [/:distinctClause [^<]/, 'it leaves out rows that are equal'],
  [/:limitCount [^<]|:limitOffset [^<]/, 'it cuts off rows'],
  [/\{SETOPERATIONSTMT (?!:op 1 :all true)/, 'it leaves out rows that are equal'],
  [/:subLinkType 6/, 'it makes an array of rows'],
  [/:hasRecursive true/, 'it is recursive'],
  [/:commandType [^1]/, 'it does not only select'],
  [/:rowMarks [^<]/, 'it locks rows'],
  // They change with locks too, and when rows are moved.
  [/:varattno -/, 'it shows system columns'],
  // `<>` marks a subquery from PostgreSQL 16 on.
  [/:relkind (?!<>)[^rv]/, 'it reads something other than ordinary tables and views'],
];

/** Reads `pg_rewrite.ev_action`; refuses what is not known to be pure. */
export function readViewRule(action: string): Rule {
  return readRule(action, PURE_NODES);
}

function readRule(text: string, pureNodes: ReadonlySet<string>): Rule {
  const plain = withoutNames(text);
  const [, impure] = REFUSED_PARTS.find(([part]) => part.test(plain)) ?? [];
  const unknown = namesOf(plain, /\{([A-Z_]+)/g).find((node) => !pureNodes.has(node));
  return {
    refusal: impure ?? (unknown && `it has an expression of the kind ${unknown.toLowerCase()}`),
    relations: namesOf(plain, RELATION_NUMBERS),
    functions: namesOf(plain, /:funcid (\d+)/g),
    operators: namesOf(plain, /:opno (\d+)/g),
  };
}

/** Numbers of relations; 0 is a subquery's. */
export const RELATION_NUMBERS = /:relid ([1-9]\d*)/g;

/** Names escape special characters with a backslash. */
export function withoutNames(expressions: string): string {
  return expressions.replaceAll(/\\./gs, '_');
}

export function namesOf(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].flatMap(([, name]) => name ?? []))];
}

export interface PolicyRule extends Rule {
  /** Callers' settings that it reads, in lower case. */
  readonly settings: readonly string[];
}

/** `current_setting(text)` and `current_setting(text, boolean)`, by number. */
const SETTING_CALL = new RegExp(
  String.raw`\{FUNCEXPR :funcid (?:2077|3294) [^{}]*:args ` +
    String.raw`\(\{CONST :consttype 25 [^{}]*:constvalue \d+ \[ ([-\d ]+) \]\}`,
  'g',
);

/** Replaces a call, up to its parameter. */
const PURE_CALL = '{COALESCE :args ({CONST }';

/** `current_role`, `current_user` and `user`, by their numbers. */
const USER = /\{SQLVALUEFUNCTION :op (?:9|10|11) /g;

/** Types with IMMUTABLE text conversion, by number. Not dates, since `today` is one. */
const CAST_TYPES = new Set(['16', '20', '21', '23', '25', '114', '1043', '1700', '2950', '3802']);

/** The end of a cast through text, and of no other node. */
const CAST = /:resulttype (\d+) :resultcollid/g;

const POLICY_NODES: ReadonlySet<string> = new Set([...PURE_NODES, 'COERCEVIAIO']);

/** Reads `pg_policy.polqual` or `pg_proc.prosqlbody`; allows casts and callers' `settings`, too. */
export function readPolicyRule(expression: string, settings: ReadonlySet<string>): PolicyRule {
  const asked = new Set<string>();
  const known = withoutNames(expression)
    .replaceAll(SETTING_CALL, (call, bytes: string) => {
      const name = textOf(bytes).toLowerCase();
      if (!settings.has(name)) return call;
      asked.add(name);
      return PURE_CALL;
    })
    .replaceAll(USER, '{CONST ');
  const casts = [...known.matchAll(CAST)].map(([, type = '']) => type);
  const rule = readRule(known, POLICY_NODES);
  const refusal = casts.every((type) => CAST_TYPES.has(type)) ? undefined : CAST_REFUSAL;
  return { ...rule, refusal: rule.refusal ?? refusal, settings: [...asked] };
}

const CAST_REFUSAL = 'it has a cast whose result may depend on more than the value';

/** A constant's text: its length in four bytes, then itself. */
function textOf(bytes: string): string {
  const values = bytes.split(' ').map((byte) => Number(byte) & 255);
  return Buffer.from(values.slice(4)).toString();
}

/** The ends of nodes, and columns of outer queries. */
const PARTS = /\{([A-Z_]+)|\}|:varlevelsup (\d+)/g;

/** The type numbers of `json` and `jsonb`. */
const JSON_CAST = /\{COERCEVIAIO :arg .*?:resulttype (?:114|3802) /s;

interface RowCalls {
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
