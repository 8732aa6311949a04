import { certificates } from '../../adapters/domains/certificates.ts';
import { dnsClient } from '../../adapters/domains/dns-client.ts';
import { tenants } from '../../adapters/domains/tenants.ts';
import { counterTable } from '../../adapters/dynamodb/counter-table.ts';
import { domainProjects } from '../../adapters/dynamodb/domains/domain-projects.ts';
import { documentClient } from '../../adapters/dynamodb/document-client.ts';
import type { AdvanceDomainDeps } from '../../core/domains/advance-domain.ts';
import { domainTarget } from '../../core/domains/required-records.ts';
import type { OwnNames } from '../../core/domains/parse-domain-name.ts';
import { projectServices } from '../shared/project-services.ts';
import { setting } from '../shared/settings.ts';
import { reportCertificates } from './report-domain-trouble.ts';
import type { DomainMailer } from '../../core/domains/ports.ts';
import { domainNoticeMail } from '../../web/mail/domain-notice-mail.ts';
import { accountMail } from '../shared/account-mail.ts';

/** The dependencies for checking custom domains, in requests and in maintenance. */
export function domainServices({
  reportTrouble,
}: Pick<AdvanceDomainDeps, 'reportTrouble'>): AdvanceDomainDeps & { ownNames: OwnNames } {
  const client = documentClient();
  const baseUrl = setting('BASE_URL');
  const routingEndpoint = setting('DOMAIN_ROUTING_ENDPOINT');
  const sitesHost = hostOf(setting('SITES_DOMAIN'));
  return {
    ...projectServices(),
    counters: counterTable(client, setting('COUNTERS_TABLE')),
    domainProjects: domainProjects(client, setting('PROJECTS_TABLE')),
    dns: dnsClient(setting('DNS_RESOLVERS')),
    certificates: certificates(setting('STAGE')),
    tenants: tenants({
      distributionId: setting('VISITOR_DISTRIBUTION_ID'),
      connectionGroupId: setting('CONNECTION_GROUP_ID'),
      stage: setting('STAGE'),
    }),
    certificatesPerYear: Number(setting('CERTIFICATES_PER_YEAR')),
    reportCertificates,
    domainMailer: domainMailer(),
    reportTrouble,
    targets: { baseUrl, sitesTarget: domainTarget(sitesHost), routingEndpoint },
    ownNames: {
      hosts: [new URL(baseUrl).hostname, sitesHost, routingEndpoint].filter(
        (host) => host !== '' && host !== 'localhost',
      ),
      testableSuffix: setting('TESTABLE_DOMAIN_SUFFIX'),
    },
  };
}

function hostOf(domain: string): string {
  return domain.replace(/:\d+$/, '');
}

/** Mails about custom domains. An installation without a sender address sends none. */
export function domainMailer(): DomainMailer {
  const { notify } = accountMail();
  return {
    sendDomainNotice: (email, notice) => notify(email, domainNoticeMail, notice),
  };
}
