// A load beside what this process measures, from which it takes nothing.
import { answerParent } from '../processes/child.ts';
import { type Load, runLoad } from './load.ts';

answerParent('ready', async (load) => void (await runLoad(load as Load)));
