import * as z from 'zod';
import { getUser } from '../operations/accounts.ts';
import { looksOnly, tool } from '../tool.ts';

/** `get_account`: plan, limits and what is used of them. */
export const getAccountTool = tool({
  name: 'get_account',
  title: 'Look at the account',
  description:
    'The plan of the account, its limits and what is used of them; -1 is unlimited. Use it when a limit was reached, or before publishing much.',
  hints: looksOnly,
  scope: 'account:read',
  operation: getUser,
  input: z.strictObject({}),
  output: getUser.output,
});
