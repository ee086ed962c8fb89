export { isTimeout, remainingMs, waitOrAbort, waitOrStop, withDeadline } from '../../deadline.ts';
