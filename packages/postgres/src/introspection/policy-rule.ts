import { PURE_NODES, readRule, type Rule, withoutNames } from './view-rule.ts';

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
