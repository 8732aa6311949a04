import type { MailAccount, MailIdentity } from '../../adapters/operator/mail-state.ts';
import { type Diagnosis, type Finding, ok, problem, warning } from './diagnosis.ts';

const mail: Diagnosis = {
  name: 'mail',
  actions: ['cloudformation:DescribeStacks', 'ses:GetAccount', 'ses:GetEmailIdentity'],
  async run({ mail: state, settings, isDeployed }) {
    const { mailFrom, mailIdentity = 'domain' } = settings;
    if (typeof mailFrom !== 'string') {
      return [
        warning(
          'No sender of mails is set, so nobody can sign in with a code.',
          'Set mailFrom to the address that mails come from.',
        ),
      ];
    }
    const domain = mailFrom.replace(/^.*@/, '');
    // SES sends for an address also if only its domain is verified.
    const names = mailIdentity === 'domain' ? [domain] : [mailFrom, domain];
    const identities = await Promise.all(names.map((name) => state.identity(name)));
    const index = Math.max(
      0,
      identities.findIndex((identity) => identity !== undefined),
    );
    const created = mailIdentity === 'address' ? mailFrom : domain;
    const exists = identities[names.indexOf(created)] !== undefined;
    return [
      ...(mailIdentity !== 'existing' && exists && !(await isDeployed())
        ? [existingIdentity(created)]
        : []),
      judgeIdentity(identities[index], names[index] ?? domain, mailIdentity === 'existing'),
      ...judgeMailAccount(await state.account()),
    ];
  },
};

/** CloudFormation refuses to create what exists already. */
function existingIdentity(name: string): Finding {
  return problem(
    `SES has the identity ${name} already, and the deployment would create it.`,
    'Set mailIdentity to "existing".',
  );
}

/** @param isGiven whether the identity must exist before the deployment, which creates it otherwise */
function judgeIdentity(
  identity: MailIdentity | undefined,
  name: string,
  isGiven: boolean,
): Finding {
  if (identity === undefined) {
    return isGiven
      ? problem(
          `SES in us-east-1 has no identity for ${name}.`,
          'Create and verify it, or set mailIdentity to "domain" so that the deployment creates it.',
        )
      : warning(
          `SES has no identity ${name} yet.`,
          'The deployment creates it. Run this again then.',
        );
  }
  if (identity.isVerified) return ok(`SES may send for ${name} (DKIM: ${identity.dkim}).`);
  const records = identity.dkimTokens.map(
    (token) => `${token}._domainkey.${name} CNAME ${token}.dkim.amazonses.com`,
  );
  const advice = name.includes('@')
    ? 'Open the link of the mail that SES sent to this address.'
    : `Add these DNS records: ${records.join('; ')}`;
  return problem(`${name} is not verified in SES (DKIM: ${identity.dkim}).`, advice);
}

function judgeMailAccount(account: MailAccount): Finding[] {
  const findings: Finding[] = [];
  if (!account.maySend || account.enforcement === 'SHUTDOWN') {
    const fact = 'AWS has paused the mails of this account.';
    findings.push(problem(fact, 'Read the case in the AWS Support Center and answer it.'));
  } else if (account.enforcement === 'PROBATION') {
    const fact = 'AWS reviews the mails of this account because of bounces or complaints.';
    findings.push(warning(fact, 'Read the case in the AWS Support Center and answer it.'));
  }
  findings.push(
    account.hasProductionAccess
      ? ok(`SES has left the sandbox: ${account.mailsPerDay} mails a day.`)
      : problem(
          'SES is in the sandbox: only addresses that are verified in it get mails.',
          'Request production access in the SES console, us-east-1, before strangers sign in.',
        ),
  );
  const missing = ['BOUNCE', 'COMPLAINT'].filter((one) => !account.suppressedReasons.includes(one));
  findings.push(
    missing.length === 0
      ? ok('Addresses that bounce or complain get no further mail, in the whole account.')
      : ok(
          `The account's suppression list ignores ${missing.join(' and ')}; the stage's own configuration set does not.`,
        ),
  );
  return findings;
}

/** The sender, and what SES allows. */
export const mailDiagnoses: readonly Diagnosis[] = [mail];
