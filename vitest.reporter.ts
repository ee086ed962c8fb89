import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

import type { Reporter, SerializedError, TestModule } from 'vitest/node';

import { waitingFiles } from './vitest.turns.ts';

const [BEGIN, END] = ['<!-- record -->', '<!-- /record -->'];

/**
 * Closes the output with the line that CI reads, `N passed, N failed`, and writes it into the page
 * that `TEST_RECORD` names. A file that breaks off before its tests, and an error that belongs to
 * no test, count as a failure.
 */
export default class ClosingLine implements Reporter {
  readonly #began = Date.now();

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      const states = Array.from(module.children.allTests(), (test) => test.result().state);
      for (const state of states) counts[state] += 1;
      if (!module.ok() && !states.includes('failed')) counts.failed += 1;
    }
    const { passed, failed, skipped } = counts;
    const line = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    if (waitingFiles.length > 0)
      console.log(`\n${waitingFiles.length} files wait for their turn: docs/internals/testing.md`);
    console.log(`\n${line}`);
    const page = process.env['TEST_RECORD'];
    if (page !== undefined) record(page, line, Date.now() - this.#began);
  }
}

function record(page: string, line: string, ms: number): void {
  const commit = execFileSync(
    'git',
    ['-c', 'safe.directory=*', 'rev-parse', '--short=12', 'HEAD'],
    { encoding: 'utf8' },
  );
  const date = new Date().toISOString().slice(0, 10);
  const minutes = (ms / 60_000).toFixed(1);
  const sentence = `${date}, commit ${commit.trim()}, Node ${process.version.slice(1)}: ${line}, in ${minutes} minutes.`;
  const text = readFileSync(page, 'utf8');
  const [before = '', rest = ''] = text.split(BEGIN);
  const [, after = ''] = rest.split(END);
  writeFileSync(page, `${before}${BEGIN}\n\n${sentence}\n\n${END}${after}`);
}
