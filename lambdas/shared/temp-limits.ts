import { type TempLimits, tempLimits } from '../../core/projects/publishing/temp-limits.ts';
import { setting } from './settings.ts';

/** The limits of uploads without an account in this deployment. */
export function deployedTempLimits(): TempLimits {
  return tempLimits({
    perMinute: Number(setting('TEMP_UPLOADS_PER_MINUTE')),
    perHour: Number(setting('TEMP_UPLOADS_PER_HOUR')),
  });
}
