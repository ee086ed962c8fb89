import { RULES } from './rules.ts';
import { type RuleResult, runRules } from './run-rules.ts';
import { select } from './subject/select.ts';
import { createSend } from './subject/send.ts';
import { Subject } from './subject/subject.ts';

/** A server, and what to read of it. */
export interface ConformanceOptions {
  /** Base URL, with a path prefix if it has one. */
  readonly url: string;
  /** A token that sees at least one model. */
  readonly token: string;
  /**
   * Name of the model to read.
   *
   * @default one of the catalogue that gives the rules many occasions
   */
  readonly model?: string | undefined;
  /**
   * Its attributes.
   *
   * @default those of the catalogue
   */
  readonly attributes?: readonly string[] | undefined;
  /** A model that exists and that the token does not see. */
  readonly hiddenModel?: string | undefined;
  /** An attribute of the model that exists and that the token does not see. */
  readonly hiddenAttribute?: string | undefined;
  /** Gives up. */
  readonly signal?: AbortSignal | undefined;
}

/** A run that has begun. */
export interface ConformanceRun {
  /** The model that was chosen. */
  readonly model: string;
  /** The result of each rule, as it is tried. */
  readonly results: AsyncIterable<RuleResult>;
}

/**
 * Holds a server against every rule of the contract. It only reads, in a few hundred requests, one
 * after the other.
 *
 * @throws {Error} when no model can be read; the message says what to name.
 */
export async function startConformance(options: ConformanceOptions): Promise<ConformanceRun> {
  const { url, token, signal = new AbortController().signal } = options;
  const send = createSend({ url, token, signal });
  const selection = await select(send, options);
  return { model: selection.model, results: runRules(RULES, new Subject(send, selection)) };
}
