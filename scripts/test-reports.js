import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** @typedef {import('vitest/node').JsonTestResults} Report */

/**
 * Vitest's own JSON reports of the packages that have one of the scripts, by the folder of the
 * package; undefined where a package did not finish.
 *
 * @param {string[]} scripts
 * @returns {[folder: string, report: Report | undefined][]}
 */
export function testReports(scripts) {
  /** @type {[string, Report | undefined][]} */
  const reports = [];
  for (const manifest of globSync('{packages,apps}/*/package.json')) {
    const own = JSON.parse(readFileSync(manifest, 'utf8')).scripts ?? {};
    const folder = dirname(manifest).replaceAll('\\', '/');
    if (scripts.some((script) => script in own)) reports.push([folder, readReport(folder)]);
  }
  return reports;
}

/**
 * @param {string} folder
 * @returns {Report | undefined}
 */
function readReport(folder) {
  try {
    return JSON.parse(readFileSync(`${folder}/test-report.json`, 'utf8'));
  } catch {
    return undefined;
  }
}
