import * as z from 'zod';
import { type TempLimits, tempLimits } from '../../core/projects/publishing/upload-limits.ts';
import { setting } from './settings.ts';
import { Plans } from '../../contract/plans.ts';
import { lazy } from './lazy.ts';

/** The limits of uploads without an account in this installation. */
export function deployedTempLimits(): TempLimits {
  return tempLimits({
    perMinute: Number(setting('TEMP_UPLOADS_PER_MINUTE')),
    perHour: Number(setting('TEMP_UPLOADS_PER_HOUR')),
  });
}

/** The plan limits of this installation. */
export const deployedPlans = lazy(() => Plans.parse(JSON.parse(setting('PLANS'))));

/** Domains whose addresses may sign up in this installation; empty for all. */
export const allowedEmailDomains = lazy(() =>
  z.array(z.string()).parse(JSON.parse(setting('ALLOWED_EMAIL_DOMAINS'))),
);

/** The e-mail addresses of this installation's operators. */
export const deployedOperators = lazy(() =>
  z.array(z.string()).parse(JSON.parse(setting('OPERATORS'))),
);
