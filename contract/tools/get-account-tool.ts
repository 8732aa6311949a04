import * as z from 'zod';
import { getUser } from '../operations/accounts.ts';
import { readOnlyHints, tool } from '../tool.ts';

const { tier, trialEndsAt, upgradeUrl } = getUser.output.shape.plan.shape;

/** `get_account`: plan, limits and usage. */
export const getAccountTool = tool({
  name: 'get_account',
  title: 'Get the account',
  description:
    'Get the plan, limits, usage (`usage`: this month) and where to change it; -1 is unlimited. Use it at a limit, or before you publish large content.',
  hints: readOnlyHints,
  scope: 'account:read',
  icon: { file: 'account', path: 'M8 8a4 4 0 1 0 8 0 4 4 0 1 0-8 0M4 21c0-4 3-6 8-6s8 2 8 6' },
  operation: getUser,
  input: z.strictObject({}),
  // All fields of the operation: their names explain them when they occur.
  output: getUser.output.extend({
    plan: z.looseObject({ tier, trialEndsAt, upgradeUrl, limits: z.looseObject({}) }),
    quota: z.looseObject({}),
  }),
});
