// `pnpm metrics [revision …]`: the figures of the code. Without a revision: of the
// working tree alone.
import { reportOf } from './report.ts';
import { measureRevision, measureWorkingTree } from './revision.ts';

const revisions = process.argv.slice(2);
process.stdout.write(reportOf([...revisions.map(measureRevision), measureWorkingTree()]));
