import { Interruption } from '@proj/cli/command-line';

import { NotTried, Violation } from './demand.ts';
import type { Rule } from './rule.ts';
import type { Subject } from './subject/subject.ts';

/** What was found out about one rule. */
export interface RuleResult {
  readonly id: string;
  readonly sentence: string;
  readonly source: string;
  readonly outcome: 'holds' | 'fails' | 'not_tried';
  /** Why it fails, or why it was not tried; empty where it holds. */
  readonly detail: string;
}

type Verdict = Pick<RuleResult, 'outcome' | 'detail'>;

const CONTRACT =
  'https://github.com/dynamic-query/dynamic-query/blob/main/docs/reference/contract.md';

/** How often a rule is tried while others write. */
const MOST_TRIES = 3;

/** Tries the rules one after the other: a server that is busy with one must not fail another. */
export async function* runRules(
  rules: readonly Rule[],
  subject: Subject,
): AsyncGenerator<RuleResult, void, void> {
  const judge = judgeOf(subject);
  for (const rule of rules) {
    const { id, sentence, section } = rule;
    yield { id, sentence, source: `${CONTRACT}#${section}`, ...(await judge(rule)) };
  }
}

/**
 * A rule that fails is tried again when the data has changed since the last look: it compares
 * several replies.
 */
function judgeOf(subject: Subject): (rule: Rule) => Promise<Verdict> {
  const look = async (): Promise<string> => subject.fingerprint().catch(() => 'unreadable');
  let seen: Promise<string> = look();
  return async (rule) => {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const verdict = await tryRule(rule, subject);
      if (verdict.outcome !== 'fails') return verdict;
      const before = await seen;
      seen = look();
      if ((await seen) === before) return verdict;
    }
    return {
      outcome: 'not_tried',
      detail: 'the data keeps changing; try again while nobody writes',
    };
  };
}

async function tryRule({ check, section }: Rule, subject: Subject): Promise<Verdict> {
  try {
    await subject.needs(section);
    await check(subject);
    return { outcome: 'holds', detail: '' };
  } catch (error) {
    if (error instanceof Interruption) throw error;
    if (error instanceof NotTried) return { outcome: 'not_tried', detail: error.message };
    return {
      outcome: 'fails',
      detail: error instanceof Violation ? error.message : `no reply: ${reasonOf(error)}`,
    };
  }
}

/** The innermost cause says more than the "fetch failed" around it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the request failed';
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}
