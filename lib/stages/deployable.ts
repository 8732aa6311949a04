import { isLocal, type Settings } from '../settings.ts';

/** Reserved domains (RFC 2606 §2 and §3, RFC 6761 §6.3), which no deployment can use. */
const reservedDomain = /(^|\.)(example\.(com|net|org)|example|test|invalid|localhost|local)$/;

/** The account of AWS's documentation and of our examples. */
const documentedAccount = ':123456789012:';

/** Whether nobody can own a domain: it stands in documents and tests. */
export function isReservedDomain(domain: string): boolean {
  return reservedDomain.test(domain.replace(/:\d+$/, ''));
}

/**
 * Why a deployment with these settings would not be a working product: placeholders, and settings that
 * need another one. Each line says what to do. An empty list means that it can be deployed.
 */
export function deployableProblems(settings: Settings): string[] {
  if (isLocal(settings)) return ['appDomain has a port, as only a local cloud has. Remove it.'];
  return [
    ...placeholderProblems(settings),
    ...certificateProblems(settings),
    ...mailProblems(settings),
  ];
}

function placeholderProblems(settings: Settings): string[] {
  const { appDomain, sitesDomain, mailFrom, alarmEmail } = settings;
  const { securityContact, upgradeUrl, policies } = settings;
  const values = {
    appDomain: [appDomain, 'the host name of the front page, in a domain of yours'],
    sitesDomain: [sitesDomain, 'the domain of published sites, a second domain of yours'],
    mailFrom: [mailFrom, 'the address that mails come from'],
    alarmEmail: [alarmEmail, 'the address that gets alarms'],
    securityContact: [securityContact, 'where security reports go, or remove it'],
    'policies.security': [policies.security, 'a page about such reports, or remove it'],
    'policies.privacy': [policies.privacy, 'your page about personal data, or remove it'],
    'policies.terms': [policies.terms, 'your page with the terms, or remove it'],
    upgradeUrl: [upgradeUrl, 'where accounts upgrade, or remove it'],
  } as const;
  return [
    ...Object.entries(values).flatMap(([name, [value, meaning]]) =>
      typeof value === 'string' && isReservedDomain(hostOf(value))
        ? [`${name} is missing or a placeholder (${value}). Set it to ${meaning}.`]
        : [],
    ),
    ...zoneProblems(settings),
  ];
}

/** The host of a domain, of a mail address, or of a URL. */
function hostOf(value: string): string {
  const url = value.includes('://') ? URL.parse(value) : null;
  return url !== null ? url.hostname : value.slice(value.lastIndexOf('@') + 1);
}

/** The zone ids of our examples. */
const exampleZone = /^Z0{10}/;

function zoneProblems({ appZone, sitesZone }: Settings): string[] {
  return Object.entries({ appZone, sitesZone }).flatMap(([name, zone]) =>
    zone !== undefined && exampleZone.test(zone.id)
      ? [
          `${name}.id is a placeholder (${zone.id}). Set it to the id of your hosted zone: aws route53 list-hosted-zones.`,
        ]
      : [],
  );
}

function certificateProblems(settings: Settings): string[] {
  const certificates = [
    ['appCertificateArn', settings.appDomain, '', settings.appZone],
    [
      'sitesCertificateArn',
      `*.${settings.sitesDomain}`,
      ` --subject-alternative-names '${settings.sitesDomain}'`,
      settings.sitesZone,
    ],
  ] as const;
  return certificates.flatMap(([name, domain, alsoFor, zone]) =>
    settings[name]?.includes(documentedAccount) === true ||
    (settings[name] === undefined && zone === undefined)
      ? [
          `${name} is missing or a placeholder. Request a certificate for ${domain} in us-east-1: aws acm request-certificate --region us-east-1 --validation-method DNS --domain-name '${domain}'${alsoFor}. Add the CNAME record that ACM shows, wait until it is issued, and set its ARN. If the domain is in Route 53, set ${name.replace('CertificateArn', 'Zone')} instead, with its id and name.`,
        ]
      : [],
  );
}

function mailProblems({ mailFrom }: Settings): string[] {
  if (mailFrom !== undefined) return [];
  return [
    'mailFrom is missing: nobody could sign in with a mailed code. Set it to the address that mails come from. To run without mail, set it to null; npm run admin -- sign-in then makes codes for people to sign in.',
  ];
}
