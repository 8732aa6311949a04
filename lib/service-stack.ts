import * as cdk from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Alarms } from './operations/alarms.ts';
import { Api } from './api/api.ts';
import { apiFunctions } from './api/api-functions.ts';
import { AppDistribution } from './web-app/app-distribution.ts';
import type { DataStack } from './data/data-stack.ts';
import { Firewall } from './operations/firewall.ts';
import type { SlipwayFunction } from './functions/function.ts';
import { FunctionKit } from './functions/function-kit.ts';
import { HitQueue } from './workers/hit-queue.ts';
import { Mail } from './workers/mail.ts';
import { Maintenance } from './workers/maintenance.ts';
import { mcpAuthorizer } from './api/mcp-authorizer.ts';
import { MediaSigning } from './sites/media-signing.ts';
import { warnOfSharedCookies } from './sites/public-suffix-list.ts';
import { hostName, isLocal, type Settings } from './settings.ts';
import { UploadQueue } from './workers/upload-queue.ts';
import { VisitorDistribution } from './sites/visitor-distribution.ts';

export interface ServiceStackProps extends cdk.StackProps {
  settings: Settings;
  bundlesDir: string;
  data: DataStack;
}

/** What runs: it holds no data and can be built again at any time. */
export class ServiceStack extends cdk.Stack {
  private readonly props: ServiceStackProps;
  private readonly kit: FunctionKit;

  constructor(scope: Construct, id: string, props: ServiceStackProps) {
    super(scope, id, props);
    this.props = props;
    this.kit = new FunctionKit(this, props);
    const { settings } = props;
    warnOfSharedCookies(this, settings);
    const webAclArn = settings.waf
      ? new Firewall(this, 'Firewall', hostName(settings.appDomain)).arn
      : undefined;
    const api = new Api(this, 'Api', settings);
    const hits = new HitQueue(this, 'Hits');
    const { gate, zip, visitors } = this.visitors(api, hits, webAclArn);
    const mail =
      settings.mailFrom === undefined ? undefined : new Mail(this, 'Mail', settings.mailFrom);
    const uploads = new UploadQueue(this, 'Uploading');
    const functions = apiFunctions(this.kit, { visitors, uploads, hits, mail });
    api.addRoutes(functions, mcpAuthorizer(this.kit));
    this.uploadWorker(visitors, uploads);
    this.hitCounter(visitors, hits, mail);
    const app = new AppDistribution(this, 'App', {
      settings,
      api: api.rest,
      originSecret: props.data.originSecret,
      webAclArn,
    });
    const { maintenance, deadLetters } = this.maintenance(visitors, uploads, mail);
    const { alarmEmail } = settings;
    new Alarms(this, 'Alarms', {
      alarmEmail,
      api: api.rest,
      gate,
      zip,
      maintenance,
      deadLetters,
      failedUploads: uploads.deadLetters,
      lostHits: hits.deadLetters,
    });
    this.addOutputs(app, visitors);
  }

  private visitors(api: Api, hits: HitQueue, webAclArn: string | undefined) {
    const { settings, data } = this.props;
    const gate = this.kit.fn('Gate', 'gate', { timeoutSeconds: 10, memoryMb: 1024 });
    const signing = new MediaSigning(this, 'MediaSigning', {
      maker: this.kit.fn('MediaKey', 'media-key', { timeoutSeconds: 60, memoryMb: 512 }),
      secret: data.mediaKey,
      generation: settings.mediaKeyGeneration,
      // CloudFront says minutes; the local edge knows a key group at once.
      propagationSeconds: isLocal(settings) ? 0 : 900,
    });
    this.kit.nameDeployment(gate);
    this.kit.signAccess(gate);
    data.tables.grantSites(gate, ['GetItem']);
    // Previews read the version that they show.
    data.tables.grantProjects(gate, ['GetItem']);
    data.content.grantObjects(gate, ['GetObject']);
    // Without it S3 answers 403, not 404, for a file that was deleted a moment ago.
    data.content.grantListing(gate);
    signing.grantSigning(gate);
    hits.grantSending(gate);
    const zip = this.zip();
    const visitors = new VisitorDistribution(this, 'Visitors', {
      settings,
      gate,
      // Memory buys the processor that reading and encoding a megabyte needs.
      assets: this.kit.fn('ViewerAssets', 'viewer-assets', { timeoutSeconds: 10, memoryMb: 1024 }),
      zip,
      api: api.rest,
      originSecret: data.originSecret,
      content: data.content.bucket,
      mediaKeys: signing.keyGroup,
      webAclArn,
    });
    return { gate, zip, visitors };
  }

  private zip(): SlipwayFunction {
    const { tables, content } = this.props.data;
    // The longest answer, 190 MB, takes 92 seconds at the 2 MB/s that Lambda streams; slow visitors take longer.
    const fn = this.kit.fn('Zip', 'zip', { timeoutSeconds: 300, memoryMb: 1024 });
    this.kit.nameDeployment(fn);
    this.kit.signAccess(fn);
    tables.grantSites(fn, ['GetItem']);
    tables.grantProjects(fn, ['GetItem']);
    tables.grantCounters(fn, ['UpdateItem']);
    content.grantObjects(fn, ['GetObject']);
    content.grantListing(fn);
    return fn;
  }

  private maintenance(visitors: VisitorDistribution, uploads: UploadQueue, mail: Mail | undefined) {
    const { tables } = this.props.data;
    const fn = this.kit.fn('Maintenance', 'maintenance', { timeoutSeconds: 55, memoryMb: 512 });
    this.kit.changeProjects(fn, visitors, uploads);
    // Owners are told before what is above a smaller plan leaves.
    this.kit.sendMail(fn, mail);
    tables.grantAccounts(fn, ['Query', 'DeleteItem']);
    tables.grantDueQuery(fn);
    const { deadLetters } = new Maintenance(this, 'Cleaning', { fn, tables });
    return { maintenance: fn, deadLetters };
  }

  private uploadWorker(visitors: VisitorDistribution, uploads: UploadQueue): void {
    // Little of the memory is used: it buys the processor that unpacking needs.
    const fn = this.kit.fn('UploadWorker', 'upload-worker', {
      timeoutSeconds: 900,
      memoryMb: 1769,
    });
    this.kit.changeProjects(fn, visitors, uploads);
    uploads.workWith(fn);
  }

  private hitCounter(visitors: VisitorDistribution, hits: HitQueue, mail: Mail | undefined): void {
    const { tables } = this.props.data;
    const fn = this.kit.fn('HitCounter', 'hit-counter', { timeoutSeconds: 60, memoryMb: 1024 });
    this.kit.nameDeployment(fn);
    this.kit.tellPlans(fn);
    this.kit.sendMail(fn, mail);
    tables.grantAnalytics(fn, ['GetItem', 'PutItem', 'UpdateItem', 'Query']);
    tables.grantAccounts(fn, ['GetItem']);
    // An alert of wrong passwords is mailed once.
    tables.grantCounters(fn, ['GetItem', 'UpdateItem']);
    // Projects of an account that is far over its plan are put to rest.
    tables.grantProjects(fn, ['GetItem', 'PutItem']);
    tables.grantSites(fn, ['PutItem']);
    tables.grantOwnerQuery(fn);
    visitors.grantForgetting(fn);
    hits.countWith(fn);
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
    new cdk.CfnOutput(this, 'Distributions', {
      description: 'For npm run admin -- rotate OriginSecret: --distributions',
      value: [app.distribution.distributionId, visitors.distribution.attrId].join(','),
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
