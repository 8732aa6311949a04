import * as cdk from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Alarms } from './alarms.ts';
import { Api } from './api.ts';
import { AppDistribution } from './app-distribution.ts';
import type { DataStack } from './data-stack.ts';
import { Firewall } from './firewall.ts';
import { SlipwayFunction } from './function.ts';
import type { FunctionName } from './function-names.ts';
import { Mail } from './mail.ts';
import { Maintenance } from './maintenance.ts';
import { MediaSigning } from './media-signing.ts';
import { isLocal, type Settings } from './settings.ts';
import { VisitorDistribution } from './visitor-distribution.ts';

export interface ServiceStackProps extends cdk.StackProps {
  settings: Settings;
  bundlesDir: string;
  data: DataStack;
}

/** What runs: it holds no data and can be built again at any time. */
export class ServiceStack extends cdk.Stack {
  private readonly props: ServiceStackProps;

  constructor(scope: Construct, id: string, props: ServiceStackProps) {
    super(scope, id, props);
    this.props = props;
    const { settings } = props;
    const webAclArn = settings.waf ? new Firewall(this, 'Firewall').arn : undefined;
    const { gate, visitors } = this.visitors(webAclArn);
    const mail =
      settings.mailFrom === undefined ? undefined : new Mail(this, 'Mail', settings.mailFrom);
    const api = new Api(this, 'Api', {
      settings,
      functions: {
        system: this.system(),
        'temp-projects': this.tempProjects(),
        accounts: this.accounts(mail),
        projects: this.projects(visitors),
        versions: this.versions(visitors),
        export: this.export(),
        'claim-pages': this.claimPages(visitors, mail),
      },
    });
    const app = new AppDistribution(this, 'App', {
      settings,
      api: api.rest,
      originSecret: props.data.originSecret,
      webAclArn,
    });
    const { maintenance, deadLetters } = this.maintenance(visitors);
    const { alarmEmail } = settings;
    new Alarms(this, 'Alarms', { alarmEmail, api: api.rest, gate, maintenance, deadLetters });
    this.addOutputs(app, visitors);
  }

  private system(): SlipwayFunction {
    const system = this.fn('System', 'system', { timeoutSeconds: 5, memoryMb: 256 });
    this.serveRequests(system);
    this.limitTempUploads(system);
    return system;
  }

  private tempProjects(): SlipwayFunction {
    const { tables, content } = this.props.data;
    const publish = this.fn('TempProjects', 'temp-projects', {
      timeoutSeconds: 29,
      memoryMb: 1769,
    });
    this.serveRequests(publish);
    this.limitTempUploads(publish);
    tables.grantSites(publish, ['PutItem']);
    tables.grantProjects(publish, ['PutItem', 'UpdateItem', 'DeleteItem']);
    tables.grantCounters(publish, ['GetItem', 'UpdateItem']);
    content.grantObjects(publish, ['PutObject', 'DeleteObject']);
    content.grantListing(publish);
    return publish;
  }

  private accounts(mail: Mail | undefined): SlipwayFunction {
    const accounts = this.fn('Accounts', 'accounts', { timeoutSeconds: 15, memoryMb: 512 });
    this.serveRequests(accounts);
    this.recogniseKeys(accounts);
    this.signIn(accounts, mail);
    return accounts;
  }

  private projects(visitors: VisitorDistribution): SlipwayFunction {
    const { tables, content } = this.props.data;
    const projects = this.fn('Projects', 'projects', { timeoutSeconds: 29, memoryMb: 1769 });
    this.serveRequests(projects);
    this.recogniseKeys(projects);
    this.tellPlans(projects);
    tables.grantSites(projects, ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem']);
    tables.grantProjects(projects, ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query']);
    tables.grantOwnerQuery(projects);
    content.grantObjects(projects, ['GetObject', 'PutObject', 'DeleteObject']);
    content.grantListing(projects);
    content.grantMultipart(projects);
    this.keepDeleted(projects);
    visitors.grantForgetting(projects);
    return projects;
  }

  private versions(visitors: VisitorDistribution): SlipwayFunction {
    const { tables, content } = this.props.data;
    const versions = this.fn('Versions', 'versions', { timeoutSeconds: 29, memoryMb: 1769 });
    this.serveRequests(versions);
    this.recogniseKeys(versions);
    this.tellPlans(versions);
    tables.grantSites(versions, ['PutItem']);
    tables.grantProjects(versions, ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query']);
    content.grantObjects(versions, ['GetObject', 'PutObject', 'DeleteObject']);
    content.grantListing(versions);
    content.grantMultipart(versions);
    this.keepDeleted(versions);
    visitors.grantForgetting(versions);
    return versions;
  }

  private export(): SlipwayFunction {
    const { tables, content } = this.props.data;
    const fn = this.fn('Export', 'export', { timeoutSeconds: 29, memoryMb: 1769 });
    this.serveRequests(fn);
    this.recogniseKeys(fn);
    tables.grantProjects(fn, ['GetItem', 'Query']);
    tables.grantOwnerQuery(fn);
    content.grantObjects(fn, ['GetObject']);
    return fn;
  }

  private keepDeleted(fn: SlipwayFunction): void {
    fn.setVariable('DELETED_KEPT_DAYS', String(this.props.settings.deletedKeptDays));
  }

  private claimPages(visitors: VisitorDistribution, mail: Mail | undefined): SlipwayFunction {
    const { tables } = this.props.data;
    const pages = this.fn('ClaimPages', 'claim-pages', { timeoutSeconds: 15, memoryMb: 512 });
    this.serveRequests(pages);
    this.signIn(pages, mail);
    visitors.grantForgetting(pages);
    tables.grantSites(pages, ['UpdateItem']);
    tables.grantProjects(pages, ['GetItem', 'PutItem', 'UpdateItem']);
    return pages;
  }

  /** What telling who calls needs: the key's row, its account, and noting the key's use. */
  private recogniseKeys(fn: SlipwayFunction): void {
    fn.setVariable('KEY_PREFIX', this.props.settings.keyPrefix);
    this.props.data.tables.grantAccounts(fn, ['GetItem', 'UpdateItem']);
  }

  /** What signing a person in by a mailed code needs. */
  private signIn(fn: SlipwayFunction, mail: Mail | undefined): void {
    const { settings, data } = this.props;
    this.tellPlans(fn);
    fn.setVariable('TRIAL_DAYS', String(settings.trialDays));
    fn.setVariable('SIGN_UP_POLICY', settings.signUpPolicy);
    fn.setVariable('CODE_SECRET', data.codeSecret.secretValue.unsafeUnwrap());
    fn.setVariable('MAIL_FROM', settings.mailFrom ?? '');
    data.tables.grantAccounts(fn, ['GetItem', 'PutItem', 'UpdateItem']);
    data.tables.grantCodes(fn, ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem']);
    data.tables.grantCounters(fn, ['GetItem', 'UpdateItem']);
    mail?.grantSending(fn);
  }

  private tellPlans(fn: SlipwayFunction): void {
    fn.setVariable('PLANS', JSON.stringify(this.props.settings.plans));
  }

  private visitors(webAclArn: string | undefined) {
    const { settings, data } = this.props;
    const gate = this.fn('Gate', 'gate', { timeoutSeconds: 10, memoryMb: 1024 });
    const signing = new MediaSigning(this, 'MediaSigning', {
      maker: this.fn('MediaKey', 'media-key', { timeoutSeconds: 60, memoryMb: 512 }),
      secret: data.mediaKey,
    });
    this.nameDeployment(gate);
    data.tables.grantSites(gate, ['GetItem']);
    data.content.grantObjects(gate, ['GetObject']);
    // Without it S3 answers 403, not 404, for a file that was deleted a moment ago.
    data.content.grantListing(gate);
    signing.grantSigning(gate);
    const visitors = new VisitorDistribution(this, 'Visitors', {
      settings,
      gate,
      content: data.content.bucket,
      mediaKeys: signing.keyGroup,
      webAclArn,
    });
    return { gate, visitors };
  }

  private maintenance(visitors: VisitorDistribution) {
    const { tables, content } = this.props.data;
    const fn = this.fn('Maintenance', 'maintenance', { timeoutSeconds: 55, memoryMb: 512 });
    tables.grantSites(fn, ['DeleteItem']);
    tables.grantProjects(fn, ['GetItem', 'Query', 'UpdateItem', 'DeleteItem']);
    tables.grantDueQuery(fn);
    // An expired project of an account leaves its sums.
    tables.grantAccounts(fn, ['UpdateItem']);
    visitors.grantForgetting(fn);
    content.grantObjects(fn, ['GetObject', 'DeleteObject']);
    content.grantListing(fn);
    const { deadLetters } = new Maintenance(this, 'Cleaning', { fn, tables });
    return { maintenance: fn, deadLetters };
  }

  private fn(
    id: string,
    name: FunctionName,
    size: { timeoutSeconds: number; memoryMb: number },
  ): SlipwayFunction {
    const { settings, bundlesDir } = this.props;
    return new SlipwayFunction(this, id, {
      name,
      bundlesDir,
      logRetentionDays: settings.logRetentionDays,
      ...size,
    });
  }

  /** Uploads without an account: enforced by one function, told by the front page. */
  private limitTempUploads(fn: SlipwayFunction): void {
    const { settings } = this.props;
    fn.setVariable('TEMP_UPLOADS_PER_MINUTE', String(settings.tempUploadsPerMinute));
    fn.setVariable('TEMP_UPLOADS_PER_HOUR', String(settings.tempUploadsPerHour));
  }

  /** What every function behind the REST API knows. */
  private serveRequests(fn: SlipwayFunction): void {
    this.nameDeployment(fn);
    // A dynamic reference: the value is in no template.
    fn.setVariable('ORIGIN_SECRET', this.props.data.originSecret.secretValue.unsafeUnwrap());
  }

  /** Where this deployment is found and what it is called. */
  private nameDeployment(fn: SlipwayFunction): void {
    const { settings } = this.props;
    fn.setVariable('BASE_URL', `${settings.originScheme}://${settings.appDomain}`);
    fn.setVariable('SITES_DOMAIN', settings.sitesDomain);
    fn.setVariable('BRAND', settings.brand);
  }

  private addOutputs(app: AppDistribution, visitors: VisitorDistribution): void {
    const { settings } = this.props;
    const { appDomain, sitesDomain } = settings;
    new cdk.CfnOutput(this, 'AppAddress', {
      description: `DNS: ${appDomain} is a CNAME (or ALIAS) to this name`,
      value: app.distribution.distributionDomainName,
    });
    new cdk.CfnOutput(this, 'SitesAddress', {
      description: `DNS: *.${sitesDomain} is a CNAME to this name`,
      value: visitors.connectionGroup.attrRoutingEndpoint,
    });
    if (isLocal(settings)) return;
    this.certificateOutput('appCertificateArn', appDomain);
    this.certificateOutput('sitesCertificateArn', `*.${sitesDomain}`);
  }

  /** A certificate made in the stack would hang the deploy until its zone is delegated, so it is asked for. */
  private certificateOutput(
    setting: 'appCertificateArn' | 'sitesCertificateArn',
    domain: string,
  ): void {
    if (this.props.settings[setting] !== undefined) return;
    new cdk.CfnOutput(this, `Missing-${setting}`, {
      value: `${domain} is not served yet. Get a certificate for it from ACM in us-east-1, then run: cdk deploy --all -c slipway.${setting}=<its ARN>`,
    });
  }
}
