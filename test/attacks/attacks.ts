import type { Attack } from './attack.ts';
import { guessAVisitorPassword } from './guess-a-visitor-password.ts';
import { guessSignInCodes } from './guess-sign-in-codes.ts';
import { keepFunctionsBusy } from './keep-functions-busy.ts';
import { holdUpMaintenance } from './hold-up-maintenance.ts';
import { keepAFormerAddress } from './keep-a-former-address.ts';
import { lockSomebodyOut } from './lock-somebody-out.ts';
import { payForInvalidations } from './pay-for-invalidations.ts';
import { restAnAccount } from './rest-an-account.ts';
import { restByTransfer } from './rest-by-transfer.ts';
import { spreadOverANetwork } from './spread-over-a-network.ts';
import { squatOnADomain } from './squat-on-a-domain.ts';
import { storeBeyondThePlan } from './store-beyond-the-plan.ts';
import { tireTheGate } from './tire-the-gate.ts';
import { useUpCertificates } from './use-up-certificates.ts';

/** Every attack of `npm run attack`, in the order in which they run. */
export const attacks: Readonly<Record<string, Attack>> = {
  'guess-sign-in-codes': guessSignInCodes,
  'lock-somebody-out': lockSomebodyOut,
  'spread-over-a-network': spreadOverANetwork,
  'keep-a-former-address': keepAFormerAddress,
  'guess-a-visitor-password': guessAVisitorPassword,
  'rest-an-account': restAnAccount,
  'rest-by-transfer': restByTransfer,
  'keep-functions-busy': keepFunctionsBusy,
  'pay-for-invalidations': payForInvalidations,
  'squat-on-a-domain': squatOnADomain,
  'store-beyond-the-plan': storeBeyondThePlan,
  'tire-the-gate': tireTheGate,
  'use-up-certificates': useUpCertificates,
  // Last, because it moves the clock.
  'hold-up-maintenance': holdUpMaintenance,
};
