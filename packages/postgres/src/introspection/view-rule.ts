/** What the rule of a view, or that of a policy, refers to, each by its number in the catalogue. */
export interface Rule {
  /** Why its rows may differ while the data is the same; undefined where they do not. */
  readonly refusal: string | undefined;
  readonly relations: readonly string[];
  readonly functions: readonly string[];
  readonly operators: readonly string[];
}

/**
 * Nodes that give the same for the same rows if the functions and operators that they name do.
 * PostgreSQL 16 has some under other names.
 */
const PURE_NODES: ReadonlySet<string> = new Set(
  `ALIAS ARRAY ARRAYEXPR BOOLEANTEST BOOLEXPR CASE CASEEXPR CASETESTEXPR CASEWHEN COALESCE
  COALESCEEXPR COLLATE COLLATEEXPR COMMONTABLEEXPR CONST DISTINCTEXPR FROMEXPR FUNCEXPR
  JOINEXPR NULLIFEXPR NULLTEST OPEXPR PARAM QUERY RANGETBLENTRY RANGETBLFUNCTION
  RANGETBLREF RELABELTYPE RTE RTEPERMISSIONINFO SCALARARRAYOPEXPR SETOPERATIONSTMT
  SORTGROUPCLAUSE SUBLINK TARGETENTRY VAR WHEN`.split(/\s+/),
);

/**
 * What the result depends on beside the rows, be it their order in the table, which may be another
 * in each execution.
 */
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
  // From PostgreSQL 16 on a query within has `<>`.
  [/:relkind (?!<>)[^rv]/, 'it reads something other than ordinary tables and views'],
];

/**
 * Reads the rule of a view, as `pg_rewrite.ev_action` has it. What is not known to be pure is
 * refused.
 */
export function readViewRule(action: string): Rule {
  return readRule(action, PURE_NODES);
}

/** The same where other nodes are pure. */
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

/** The numbers of relations in expressions; 0 is of a query within. */
export const RELATION_NUMBERS = /:relid ([1-9]\d*)/g;

/** Names are written with a backslash before whatever means something. */
export function withoutNames(expressions: string): string {
  return expressions.replaceAll(/\\./gs, '_');
}

/** What a pattern finds in expressions, each once. */
export function namesOf(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].flatMap(([, name]) => name ?? []))];
}

/** The rule of a policy, or of a function that it calls. */
export interface PolicyRule extends Rule {
  /** The settings of callers that it asks for, in lower case. */
  readonly settings: readonly string[];
}

/** The numbers of `current_setting(text)` and `current_setting(text, boolean)`. */
const SETTING_CALL = new RegExp(
  String.raw`\{FUNCEXPR :funcid (?:2077|3294) [^{}]*:args ` +
    String.raw`\(\{CONST :consttype 25 [^{}]*:constvalue \d+ \[ ([-\d ]+) \]\}`,
  'g',
);

/** What takes the place of a call, up to the same parameter: it is pure. */
const PURE_CALL = '{COALESCE :args ({CONST }';

/** `current_role`, `current_user` and `user`, by the numbers that PostgreSQL has for them. */
const USER = /\{SQLVALUEFUNCTION :op (?:9|10|11) /g;

/**
 * Types whose values are read from texts, and written as texts, by IMMUTABLE functions: boolean,
 * bigint, smallint, integer, text, json, varchar, numeric, uuid and jsonb. A date may be `today`.
 */
const CAST_TYPES = new Set(['16', '20', '21', '23', '25', '114', '1043', '1700', '2950', '3802']);

/** A cast through a text ends so, and no other node. */
const CAST = /:resulttype (\d+) :resultcollid/g;

const POLICY_NODES: ReadonlySet<string> = new Set([...PURE_NODES, 'COERCEVIAIO']);

/**
 * Reads the expression of a policy, as `pg_policy.polqual` has it, or the body of a function, as
 * `pg_proc.prosqlbody` has it: what a view may have, what the caller's session has, and casts.
 *
 * @param settings the names of settings that each session of a caller has, in lower case
 */
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

/** The text of a constant: its length in four bytes, then itself. */
function textOf(bytes: string): string {
  const values = bytes.split(' ').map((byte) => Number(byte) & 255);
  return Buffer.from(values.slice(4)).toString();
}
