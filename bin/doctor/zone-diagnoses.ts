import { isSameOrBeneath, namesUpFrom } from '../../core/domains/domain-name.ts';
import { issuersInsteadOfAmazon } from '../../core/domains/observe-records.ts';
import type { Settings } from '../../lib/settings.ts';
import {
  type Diagnosis,
  type DoctorDeps,
  type Finding,
  ok,
  problem,
  unknown,
} from './diagnosis.ts';

const zones: Diagnosis = {
  name: 'zones',
  actions: ['route53:GetHostedZone'],
  async run(deps) {
    const findings: Finding[] = [];
    for (const setting of ['appZone', 'sitesZone'] as const) {
      const wanted = deps.settings[setting];
      if (wanted !== undefined) findings.push(await judgeZone(deps, setting, wanted));
    }
    return findings;
  },
};

async function judgeZone(
  { zones: reader, names }: DoctorDeps,
  setting: string,
  { id, name }: { id: string; name: string },
): Promise<Finding> {
  const found = await reader.zone(id);
  const list = 'aws route53 list-hosted-zones shows ids and names.';
  if (found === undefined)
    return problem(`${setting}: this account has no hosted zone ${id}.`, list);
  if (found.name !== name.toLowerCase())
    return problem(
      `${setting}: the hosted zone ${id} is that of ${found.name}, not of ${name}.`,
      list,
    );
  if (found.isPrivate)
    return problem(
      `${setting}: the hosted zone ${id} is private, so nobody outside sees it.`,
      'Use the public zone of the domain, or create one.',
    );
  const servers = await names.servers(name);
  if (servers.some((server) => found.servers.includes(server)))
    return ok(`${name} is delegated to its hosted zone.`);
  const now = servers.length === 0 ? 'no servers' : servers.join(', ');
  return problem(
    `${name} is delegated to ${now}, not to its hosted zone: a deployment would wait for its certificate, and fail.`,
    `At the registrar, or in the zone above, set these NS records: ${found.servers.join(', ')}.`,
  );
}

/** A record that the deployment makes. */
export interface PlannedRecord {
  zoneId: string;
  name: string;
  types: readonly string[];
}

/** The records that the deployment makes in the zones of the settings, except those of DKIM, whose names AWS makes up. */
export function plannedRecords(settings: Settings): PlannedRecord[] {
  const {
    appDomain,
    sitesDomain,
    appZone,
    sitesZone,
    mailFrom,
    mailIdentity = 'domain',
  } = settings;
  const address = ['A', 'AAAA'];
  const sender = mailFrom?.replace(/^.*@/, '') ?? '';
  const mailZone = [appZone, sitesZone]
    .filter((zone) => zone !== undefined && isSameOrBeneath(sender, zone.name))
    .toSorted((a, b) => (b?.name.length ?? 0) - (a?.name.length ?? 0))[0];
  const mailZoneId = mailIdentity === 'domain' ? mailZone?.id : undefined;
  const planned: [string | undefined, string, readonly string[]][] = [
    [appZone?.id, appDomain, address],
    [sitesZone?.id, `*.${sitesDomain}`, address],
    [sitesZone?.id, sitesDomain, address],
    [mailZoneId, `_dmarc.${sender}`, ['TXT']],
    [mailZoneId, `bounces.${sender}`, ['MX', 'TXT']],
  ];
  return planned.flatMap(([zoneId, name, types]) =>
    zoneId === undefined ? [] : [{ zoneId, name, types }],
  );
}

const existingRecords: Diagnosis = {
  name: 'records',
  actions: ['cloudformation:DescribeStacks', 'route53:ListResourceRecordSets'],
  async run({ zones: reader, settings, isDeployed }) {
    const planned = plannedRecords(settings);
    // Afterwards they are the stage's own.
    if (planned.length === 0 || (await isDeployed())) return [];
    const findings: Finding[] = [];
    for (const zoneId of new Set(planned.map((one) => one.zoneId))) {
      const { records, isWhole } = await reader.records(zoneId);
      const own = planned.filter((one) => one.zoneId === zoneId);
      for (const { name, types } of own) {
        const inTheWay = records.filter(
          (record) => record.name === name && [...types, 'CNAME'].includes(record.type),
        );
        findings.push(...inTheWay.map(({ type }) => existing(name, type)));
      }
      if (!isWhole) findings.push(onlyFirst(zoneId));
    }
    return findings.length > 0 ? findings : [ok('No record is in the way of the deployment.')];
  },
};

/** CloudFormation refuses to create what exists already. */
function existing(name: string, type: string): Finding {
  const advice = /^(?:_dmarc|bounces)\./.test(name)
    ? 'Send from a name of its own, such as hello@mail.your-company.dev, or set mailIdentity to "existing", or remove the record.'
    : 'Remove it, or choose another domain. Whatever it leads to ends with it.';
  return problem(
    `${name} has a record ${type} already, and the deployment would create one.`,
    advice,
  );
}

function onlyFirst(zoneId: string): Finding {
  return unknown(
    `Only the first 300 records of the hosted zone ${zoneId} were looked at.`,
    'Look in Route 53 whether the names of docs/deploy.md, step 5, have records.',
  );
}

const caa: Diagnosis = {
  name: 'caa',
  actions: [],
  async run({ names, settings: { appDomain, sitesDomain } }) {
    const findings: Finding[] = [];
    for (const domain of [appDomain, sitesDomain]) {
      const values: string[][] = [];
      for (const name of namesUpFrom(domain)) values.push(await names.caa(name));
      const issuers = issuersInsteadOfAmazon(values);
      findings.push(
        issuers === undefined
          ? ok(`CAA lets Amazon issue certificates for ${domain}.`)
          : problem(
              `CAA records allow certificates for ${domain} only from ${issuers.join(', ') || 'nobody'}.`,
              'Add CAA records with the tags issue and issuewild and the value amazon.com. Renewals need them too.',
            ),
      );
    }
    return findings;
  },
};

/** The zones of the settings, and what stands in them. */
export const zoneDiagnoses: readonly Diagnosis[] = [zones, existingRecords, caa];
