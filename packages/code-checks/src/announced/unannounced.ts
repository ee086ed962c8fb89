/** A file that a branch changes: its path in the repository and, unless it is gone, its text. */
export interface ChangedFile {
  readonly path: string;
  readonly text?: string;
}

/**
 * The API reports among the changed files whose package no changeset of the branch names, so that
 * the change would be released without a word. A release, which uses its changesets up, is none.
 */
export function unannounced(changed: readonly ChangedFile[], scope: string): string[] {
  const changesets = changed.filter(({ path }) => /^\.changeset\/[^/]+\.md$/.test(path));
  if (changesets.some(({ text }) => text === undefined)) return [];
  const announced = new Set(changesets.flatMap(({ text = '' }) => packagesOf(text)));
  return changed
    .map(({ path }) => path)
    .filter((path) => {
      const [, folder] = /^(?:packages|apps)\/([^/]+)\/etc\/[^/]+\.api\.md$/.exec(path) ?? [];
      return folder !== undefined && !announced.has(`${scope}/${folder}`);
    });
}

/** The packages that a changeset names in its head. */
function packagesOf(changeset: string): string[] {
  const [, head = ''] = changeset.split(/^---$/m);
  return [...head.matchAll(/^["']?([^"':]+(?:\/[^"':]+)?)["']?:/gm)].map(([, name = '']) => name);
}
