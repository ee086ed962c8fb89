import { RULES } from './rules.ts';
import { type Finding, runRules } from './run-rules.ts';
import { select } from './select.ts';
import { createSend } from './send.ts';
import { Subject } from './subject.ts';

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
  /** One finding for each rule, as it is tried. */
  readonly findings: AsyncIterable<Finding>;
}

/**
 * Holds a server against every rule of the contract. It only reads, in a few hundred requests, one
 * after the other.
 *
 * @throws {Error} when no model can be read; the message says what to name.
 */
export async function startConformance(options: ConformanceOptions): Promise<ConformanceRun> {
  const {
    url,
    token,
    model,
    attributes,
    hiddenModel,
    hiddenAttribute,
    signal = new AbortController().signal,
  } = options;
  const send = createSend({ url, token, signal });
  const selection = await select(send, { model, attributes, hiddenModel, hiddenAttribute });
  return { model: selection.model, findings: runRules(RULES, new Subject(send, selection)) };
}
