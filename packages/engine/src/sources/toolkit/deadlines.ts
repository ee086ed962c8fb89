export {
  isTimeout,
  remainingMs,
  waitOrAbort,
  waitOrStop,
  withDeadline,
  within,
} from '../../deadline.ts';
