import type { Attack } from './attack.ts';
import { guessAVisitorPassword } from './guess-a-visitor-password.ts';
import { restAnAccount } from './rest-an-account.ts';

/** Every attack of `npm run attack`, in the order in which they run. */
export const attacks: Readonly<Record<string, Attack>> = {
  'guess-a-visitor-password': guessAVisitorPassword,
  'rest-an-account': restAnAccount,
};
