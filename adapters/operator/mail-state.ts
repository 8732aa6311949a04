import * as z from 'zod';
import { isNamed } from './account-state.ts';
import type { OperatorReach } from './operator-client.ts';
import { signedReads } from './signed-reads.ts';

/** The permissions and limits of an account at SES. */
export interface MailAccount {
  /** False in the sandbox: SES then mails only verified addresses. */
  hasProductionAccess: boolean;
  /** False while AWS has paused all mails of the account. */
  maySend: boolean;
  /** `HEALTHY`, `PROBATION` or `SHUTDOWN`. */
  enforcement: string;
  mailsPerDay: number;
  /** Why addresses get onto the account's suppression list: `BOUNCE`, `COMPLAINT`. */
  suppressedReasons: string[];
}

/** A sender of SES: a domain or an address. */
export interface MailIdentity {
  isVerified: boolean;
  /** Status of the DKIM records: `SUCCESS`, `PENDING`, `NOT_STARTED`, … */
  dkim: string;
  /** Names of the CNAME records for DKIM; empty for an address. */
  dkimTokens: string[];
}

/** The state of SES in us-east-1. Only reads. */
export type MailState = ReturnType<typeof mailState>;

const Account = z.object({
  ProductionAccessEnabled: z.boolean().default(false),
  SendingEnabled: z.boolean().default(false),
  EnforcementStatus: z.string().default('HEALTHY'),
  SendQuota: z.object({ Max24HourSend: z.number() }).optional(),
  SuppressionAttributes: z
    .object({ SuppressedReasons: z.array(z.string()).default([]) })
    .optional(),
});

const Identity = z.object({
  VerifiedForSendingStatus: z.boolean().default(false),
  DkimAttributes: z
    .object({ Status: z.string().default('NOT_STARTED'), Tokens: z.array(z.string()).default([]) })
    .optional(),
});

export function mailState(reach: OperatorReach) {
  const read = signedReads(reach);
  const get = async (path: string): Promise<unknown> =>
    JSON.parse(await read('ses', { method: 'GET', path: `/v2/email/${path}` }));
  return {
    async account() {
      const found = Account.parse(await get('account'));
      return {
        hasProductionAccess: found.ProductionAccessEnabled,
        maySend: found.SendingEnabled,
        enforcement: found.EnforcementStatus,
        mailsPerDay: found.SendQuota?.Max24HourSend ?? 0,
        suppressedReasons: found.SuppressionAttributes?.SuppressedReasons ?? [],
      };
    },
    /** @returns undefined if the identity does not exist */
    async identity(name: string) {
      try {
        const found = Identity.parse(await get(`identities/${encodeURIComponent(name)}`));
        return {
          isVerified: found.VerifiedForSendingStatus,
          dkim: found.DkimAttributes?.Status ?? 'NOT_STARTED',
          dkimTokens: found.DkimAttributes?.Tokens ?? [],
        };
      } catch (error) {
        if (isNamed(error, 'NotFoundException')) return undefined;
        throw error;
      }
    },
  };
}
