import type { Output } from '../api/contract.ts';
import { plural } from './format.ts';

type Domain = Output<'getDomain'>;
type DnsRecord = Domain['records'][number];

/** The texts about domains. They come with the views that show them. */
export const domainTexts = {
  title: 'Domains',
  unread: 'Domain',
  intro: 'Serve projects below a domain of your own.',
  name: 'Domain',
  add: 'Add',
  empty: 'You have no domains.',
  projects: (count: number) => plural(count, { one: '1 project', other: `${count} projects` }),
  records: 'DNS records',
  recordsIntro:
    'Set each record at your DNS provider. The certificate record appears after the ownership record is found. Keep all of them: we check regularly that the domain is still yours.',
  sendRecords: 'Send these records to your IT',
  mailSubject: (domain: string) => `DNS records for ${domain}`,
  mailIntro: (domain: string) =>
    `Hello, please set these DNS records for ${domain}, and keep them. More may follow: the certificate’s record is known when the first one is found.`,
  recordLines: (purpose: string, record: { type: string; name: string; value: string }) =>
    `${purpose}:\nType: ${record.type}\nName: ${record.name}\nValue: ${record.value}`,
  recordName: 'Name',
  recordValue: 'Value',
  copy: (label: string) => `Copy ${label.toLowerCase()}`,
  found: 'DNS answers now:',
  check: 'Check now',
  checking: 'Checking…',
  checked: (when: string) => `Last checked ${when}.`,
  notChecked: 'Not checked yet.',
  help: 'Where to set records',
  projectsTitle: 'Projects on this domain',
  notReady: 'You can add projects when the domain is verified.',
  addProject: 'Add a project',
  chooseProject: 'Choose a project',
  addIt: 'Add it to this domain',
  oldAddress: 'The address that it has now stops working.',
  bare: (domain: string) => `What visitors of ${domain} see`,
  bareNone: 'Nothing',
  bareHint:
    'This project is then shown at the domain itself and at www, too. One more record appears above for that.',
  danger: 'Danger zone',
  remove: 'Remove the domain',
  removeTitle: (domain: string) => `Remove ${domain}?`,
  removeText:
    'Visitors no longer find it. Its projects are kept and get addresses of this service again.',
  confirmType: (domain: string) => `Type ${domain} to confirm`,
};

/** The name of each status. */
export const domainStatusNames: Record<Domain['status'], string> = {
  pending_verification: 'Waiting for records',
  propagation_wait: 'Records are spreading',
  active: 'Verified',
  error_dns: 'Check the records',
  ssl_pending: 'Getting a certificate',
  ssl_active: 'Live',
};

/** What each record is for. */
export const recordPurposes: Record<DnsRecord['purpose'], string> = {
  ownership: 'Proves that the domain is yours',
  certificate: 'Lets us renew the certificate',
  sites: 'Leads visitors to your projects',
  root: 'Leads visitors of the bare domain here (optional)',
};

/** What was found of each record. */
export const recordStates: Record<DnsRecord['state'], string> = {
  preparing: 'appears later',
  missing: 'missing',
  wrong: 'wrong value',
  spreading: 'spreading',
  ok: 'found',
  unknown: 'no answer',
};

/** Where the common providers have DNS records. */
export const providerHelp = [
  {
    name: 'Cloudflare',
    steps: [
      'Open the domain, then DNS → Records → Add record.',
      'Paste the whole name: Cloudflare shortens it by itself.',
      'Switch the proxy off (grey cloud, “DNS only”) for every CNAME. With the proxy on, the check reads Cloudflare’s own addresses.',
    ],
  },
  {
    name: 'GoDaddy',
    steps: [
      'My Products → your domain → DNS → Add New Record.',
      'Enter only the part of the name before your domain: GoDaddy adds the domain itself.',
      'GoDaddy has no ALIAS record. For the bare domain, forward it to an address below it.',
    ],
  },
  {
    name: 'Namecheap',
    steps: [
      'Domain List → Manage → Advanced DNS → Add New Record.',
      'Enter only the part of the name before your domain, and “*” for the wildcard.',
      'Remove the parking records (“URL Redirect”, “CNAME www → parkingpage”) if they are there.',
    ],
  },
  {
    name: 'Amazon Route 53',
    steps: [
      'Hosted zones → your zone → Create record.',
      'Enter only the part of the name before your domain. A TXT value needs double quotes around it.',
      'For the bare domain, switch “Alias” on and paste the value as a CloudFront distribution.',
    ],
  },
  {
    name: 'Another provider',
    steps: [
      'Look for “DNS”, “Zone” or “Name servers” in its settings.',
      'If a saved name ends in your domain twice, enter only the part before the domain.',
      'A name can have either a CNAME or other records. Remove the others from that name.',
    ],
  },
] as const;
