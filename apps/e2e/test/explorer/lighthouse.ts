import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Installed for the test alone: with what it needs it takes 185 MB. */
const LIGHTHOUSE = 'lighthouse@12.8.2';

const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;

const execute = promisify(execFile);

/** Of each category its score, from 0 to 100. */
export type Scores = Readonly<Record<(typeof CATEGORIES)[number], number>>;

/** The part of a report that is read. */
interface Report {
  readonly finalDisplayedUrl: string;
  readonly categories: Readonly<Record<keyof Scores, { readonly score: number | null }>>;
}

/** Installs Lighthouse in an empty folder, from the registry that npm is set to use. */
export async function installLighthouse(folder: string): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund'];
  await execute('npm', ['install', ...options, LIGHTHOUSE], { cwd: folder });
}

/**
 * What Lighthouse says of a page, by its rules for a computer. It opens the page in the browser
 * that is driven at this port, and leaves what that browser has stored.
 *
 * @throws when another page was shown, or a category could not be judged
 */
export async function scores(folder: string, port: number, url: string): Promise<Scores> {
  const file = join(folder, 'report.json');
  await execute(
    process.execPath,
    [
      join(folder, 'node_modules/lighthouse/cli/index.js'),
      url,
      `--port=${port}`,
      '--preset=desktop',
      `--only-categories=${CATEGORIES.join()}`,
      '--disable-storage-reset',
      '--no-enable-error-reporting',
      '--quiet',
      '--output=json',
      `--output-path=${file}`,
    ],
    { cwd: folder },
  );
  const report = JSON.parse(await readFile(file, 'utf8')) as Report;
  if (report.finalDisplayedUrl !== url) throw new Error(`It saw ${report.finalDisplayedUrl}.`);
  const ofCategory = CATEGORIES.map((name) => {
    const { score } = report.categories[name];
    if (score === null) throw new Error(`Lighthouse could not judge ${name} of ${url}.`);
    return [name, Math.round(score * 100)] as const;
  });
  return Object.fromEntries(ofCategory) as Scores;
}
