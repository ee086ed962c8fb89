import { putText } from '../output/present.ts';
import { type Output, put } from '../terminal/terminal.ts';
import { type ExportRequest, freshState } from './export-state.ts';
import { isPagedFormat, WHOLE_REMEDY } from './formats/formats.ts';
import type { Target } from './target.ts';

/** By who writes the list. */
const REMEDIES = {
  service: 'Read it page by page instead, with --paged; with -o too, --resume can go on with it.',
  pages: 'To be able to go on after a failure, export to a file with -o.',
} as const;

/** Written output cannot be withdrawn, so only the exit code shows whether it is complete. */
export function stdoutTarget(
  output: Output,
  request: ExportRequest,
  writer: keyof typeof REMEDIES,
): Target {
  return {
    state: freshState(request),
    append: async (part) => {
      if (part.length === 0) return;
      await (typeof part === 'string' ? putText(output, part) : put(output, part));
    },
    note: async () => undefined,
    finish: async () => undefined,
    keep: async () =>
      `The output is cut short. ${isPagedFormat(request.format) ? REMEDIES[writer] : WHOLE_REMEDY}`,
  };
}
