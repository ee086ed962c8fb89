/** What the bar needs of a stream; `process.stderr` has it. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const WIDEST_BAR = 30;
/**
 * A space, two brackets, a space, and `100%`; the last column stays free, or a terminal would wrap.
 */
const AROUND_BAR = 9;

/**
 * A listener that shows how far a piece of work is: a bar that is drawn over itself on a terminal,
 * elsewhere one line when the work begins and one when it ends. Call it with 0 … 1.
 */
export function progressBar(
  label: string,
  stream: ProgressStream = process.stderr,
): (done: number) => void {
  return stream.isTTY === true ? terminalBar(label, stream) : plainLines(label, stream);
}

function terminalBar(label: string, stream: ProgressStream): (done: number) => void {
  const width = Math.max(
    0,
    Math.min(WIDEST_BAR, (stream.columns ?? 80) - label.length - AROUND_BAR),
  );
  let shown = -1;
  return (done) => {
    const percent = Math.floor(done * 100);
    if (percent === shown) return;
    shown = percent;
    const full = Math.floor(done * width);
    const bar = `[${'#'.repeat(full)}${' '.repeat(width - full)}]`;
    stream.write(`\r${label} ${bar} ${percent}%${percent === 100 ? '\n' : ''}`);
  };
}

function plainLines(label: string, stream: ProgressStream): (done: number) => void {
  let begun = false;
  return (done) => {
    if (!begun) stream.write(`${label} …\n`);
    begun = true;
    if (done >= 1) stream.write(`${label}: done\n`);
  };
}
