import { linesOfText, type SourceFile } from './source-file.ts';

/** The columns of a line. The formatter breaks code there, but neither texts nor comments. */
export const MAX_COLUMNS = 100;

/** The lines that take more than {@link MAX_COLUMNS}, as `file:line`. */
export function linesOverWidth(file: SourceFile): string[] {
  return linesOfText(file).flatMap(({ length }, index) =>
    length > MAX_COLUMNS ? `${file.path}:${index + 1}` : [],
  );
}
