import { daySeconds } from '../../contract/limits.ts';
import type { CertificateState } from '../../adapters/operator/certificate-state.ts';
import { type Diagnosis, type Finding, ok, problem, warning } from './diagnosis.ts';

/** States in which ACM waits for the records or has given up (ACM, `RenewalStatus`). A running renewal is none of them. */
const stuckRenewals = ['PENDING_VALIDATION', 'FAILED'];
/**
 * ACM starts a renewal 45 days before a certificate ends. With so few days left, the renewal does
 * not work.
 */
const renewalDays = 15;

const certificates: Diagnosis = {
  name: 'certificates',
  actions: ['acm:DescribeCertificate'],
  async run({ readCertificate, settings, now }) {
    const wanted = [
      ['appCertificateArn', [settings.appDomain], settings.appZone?.id],
      [
        'sitesCertificateArn',
        [`*.${settings.sitesDomain}`, settings.sitesDomain],
        settings.sitesZone?.id,
      ],
    ] as const;
    const findings: Finding[] = [];
    for (const [setting, names, zoneId] of wanted) {
      const arn = settings[setting];
      findings.push(
        arn === undefined
          ? withoutCertificate(setting, names.join(' and '), zoneId)
          : judgeCertificate(await readCertificate(arn), { setting, names, now: now() }),
      );
    }
    return findings;
  },
};

function withoutCertificate(setting: string, name: string, zoneId: string | undefined): Finding {
  if (zoneId !== undefined) return ok(`The deployment makes the certificate of ${name}.`);
  return warning(
    `No certificate is set for ${name}.`,
    `Request one in ACM, in us-east-1, for ${name}, and set ${setting} to its ARN. Without it the name does not work.`,
  );
}

interface WantedCertificate {
  setting: string;
  names: readonly string[];
  now: Date;
}

/** Whether CloudFront can serve a name with a certificate. */
function judgeCertificate(
  found: CertificateState | undefined,
  { setting, names, now }: WantedCertificate,
): Finding {
  const name = names.join(' and ');
  if (found === undefined) {
    return problem(
      `The certificate of ${setting} does not exist in this account.`,
      `Set ${setting} to the ARN of a certificate for ${name} in us-east-1.`,
    );
  }
  const { status, expiresAt, records, renewal } = found;
  if (!names.every((wanted) => found.names.some((one) => covers(one, wanted)))) {
    return problem(
      `The certificate of ${setting} is for ${found.names.join(', ')}, not for ${name}.`,
      `Request one in ACM, in us-east-1, for ${name}, and set ${setting} to its ARN.`,
    );
  }
  if (status !== 'ISSUED') {
    const missing = records.map((record) => `${record.name} CNAME ${record.value}`).join('; ');
    const advice =
      missing === ''
        ? 'Request another one in ACM.'
        : `Add these DNS records, and keep them: ${missing}`;
    return problem(`The certificate for ${name} is ${status}, not ISSUED.`, advice);
  }
  const daysLeft =
    expiresAt && Math.floor((expiresAt.getTime() - now.getTime()) / (daySeconds * 1000));
  const isStuck = renewal !== undefined && stuckRenewals.includes(renewal);
  if (daysLeft !== undefined && (isStuck || daysLeft < renewalDays)) {
    return problem(
      `The certificate for ${name} ends in ${daysLeft} days and is not renewed.`,
      'Put the validation records back into the DNS; ACM shows them.',
    );
  }
  return ok(`The certificate for ${name} is issued.`);
}

/** A wildcard stands for exactly one label (RFC 6125 §6.4.3). */
function covers(certified: string, name: string): boolean {
  if (certified === name) return true;
  return certified.startsWith('*.') && certified.slice(2) === name.replace(/^[^.*]+\./, '');
}

/** The alarm starts at this share of the year's certificates too. */
const noticeShare = 0.8;

const budget: Diagnosis = {
  name: 'certificate-budget',
  actions: ['cloudformation:DescribeStacks', 'dynamodb:GetItem'],
  async run({ certificatesOfYear, settings: { certificatesPerYear } }) {
    const used = await certificatesOfYear();
    if (used === undefined) return [];
    const fact = `Custom domains took ${used} of ${certificatesPerYear} certificates in 365 days.`;
    if (used < certificatesPerYear * noticeShare) return [ok(fact)];
    return [
      warning(
        fact,
        'See docs/runbook.md#custom-domains. To have more, request a higher quota "ACM certificates created in last 365 days" of ACM in us-east-1, then raise certificatesPerYear and deploy.',
      ),
    ];
  },
};

/** The certificates that the settings name, and those of custom domains. */
export const certificateDiagnoses: readonly Diagnosis[] = [certificates, budget];
