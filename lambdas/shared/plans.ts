import { Plans } from '../../contract/plans.ts';
import { once } from './once.ts';
import { setting } from './settings.ts';

/** The plan numbers of this deployment. */
export const deployedPlans = once(() => Plans.parse(JSON.parse(setting('PLANS'))));
