import type { Engine } from '@proj/engine';
import type { Logger } from 'pino';

/** Logs once when a model is lost, when it is back, and when its types or its key are others. */
export function logModelChanges(
  engine: Pick<Engine, 'onModelChange'>,
  log: Pick<Logger, 'info' | 'warn'>,
): void {
  engine.onModelChange(({ model, change, reason }) => {
    if (change === 'lost') log.warn({ model, reason }, 'a model, or a part of it, is unavailable');
    else if (change === 'back') log.info({ model }, 'a model is available again');
    else log.info({ model }, 'the columns or the key of a model have changed');
  });
}
