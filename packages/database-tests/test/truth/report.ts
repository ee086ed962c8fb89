import type { Mismatch, Reply } from './oracle.ts';
import type { Findings } from './trial.ts';

/** What came out of a trial, in a line. */
export function report(findings: Findings): string {
  const { replies, cancelled, refused, commits, mismatches, failures } = findings;
  const failed = [...failures].map(([message, count]) => `, ${count} × “${message}”`).join('');
  return `${replies} replies compared, ${commits} commits, ${cancelled} callers left, ${refused} refused, ${mismatches.length} mismatches${failed}.`;
}

/** What is wrong with a reply, without the parts that are right. */
export function explain({ request, reply, expected, window, totals, shows }: Mismatch): string {
  const { oldest, newest } = window;
  const states = `It may show the states ${oldest} to ${newest}, whose totals are ${totals.join(', ')}; `;
  const found = shows === undefined ? 'it shows none that is kept.' : `it shows ${shows}.`;
  return [JSON.stringify(request), `${states}${found}`, ...difference(reply, expected)].join('\n');
}

/**
 * The page metadata and the first record that differ, each beside what it is in the newest state.
 */
function difference(reply: Reply, expected: Reply): string[] {
  const given = recordTexts(reply);
  const right = recordTexts(expected);
  const place = Math.max(
    given.findIndex((text, index) => text !== right[index]),
    right.findIndex((text, index) => text !== given[index]),
  );
  const record = place < 0 ? [] : [`record ${place}: ${given[place]}, not ${right[place]}`];
  const summary = `${given.length} records of ${JSON.stringify(reply.page)}, not ${right.length} of ${JSON.stringify(expected.page)}`;
  return [summary, ...record];
}

function recordTexts({ result }: Reply): string[] {
  const records: unknown[] = JSON.parse(result);
  return records.map((record) => JSON.stringify(record));
}
