import * as cdk from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { maxFunctionSeconds } from '../contract/limits.ts';
import { Alarms, type AlarmsProps } from './operations/alarms.ts';
import { Api, type ApiOriginProps } from './api/api.ts';
import { ApiKeys } from './api/api-keys.ts';
import { apiFunctions } from './api/api-functions.ts';
import { mcpAuthorizer } from './api/mcp-authorizer.ts';
import { AppDistribution } from './web-app/app-distribution.ts';
import { WebApp } from './web-app/web-app.ts';
import { Budget } from './operations/budget.ts';
import { Dashboard } from './operations/dashboard.ts';
import { DeadLetters } from './workers/dead-letters.ts';
import { EdgeLogs } from './operations/edge-logs.ts';
import { type Certificates, certificatesFor } from './domains/certificates.ts';
import { addRecords, addStageOutputs } from './domains/addresses.ts';
import { importZones, type Zones } from './domains/zones.ts';
import type { DataStack } from './data/data-stack.ts';
import { Firewall } from './operations/firewall.ts';
import type { SlipwayFunction } from './functions/function.ts';
import { FunctionFactory } from './functions/function-factory.ts';
import { HitQueue, UploadQueue, WebhookQueue } from './workers/queues.ts';
import { Mail } from './workers/mail.ts';
import { Maintenance } from './workers/maintenance.ts';
import { warnOfSharedCookies } from './sites/public-suffix-list.ts';
import { hostName, isLocal, type Settings } from './settings.ts';
import { VisitorDistribution } from './sites/visitor-distribution.ts';

export interface ServiceStackProps extends cdk.StackProps {
  settings: Settings;
  stage: string;
  bundlesDir: string;
  data: DataStack;
}

/** Everything that runs. It holds no data and can be rebuilt at any time. */
export class ServiceStack extends cdk.Stack {
  private readonly props: ServiceStackProps;
  private readonly factory: FunctionFactory;
  private readonly zones: Zones;
  private readonly certificates: Certificates;

  constructor(scope: Construct, id: string, props: ServiceStackProps) {
    super(scope, id, props);
    this.props = props;
    this.factory = new FunctionFactory(this, props);
    const { settings } = props;
    warnOfSharedCookies(this, settings);
    this.zones = importZones(this, settings);
    this.certificates = certificatesFor(this, settings, this.zones);
    const webAclArn = this.firewallArn();
    const api = new Api(this, 'Api', { settings, authorizer: mcpAuthorizer(this.factory) });
    const deadLetters = new DeadLetters(this, 'DeadLetters');
    const windowSeconds = isLocal(settings) ? 1 : 20;
    const hits = new HitQueue(this, 'Hits', { deadLetters, windowSeconds });
    const keys = this.apiKeys();
    const origin = { api: api.rest, secrets: props.data.secrets, apiKey: keys.current };
    const { gate, streams, visitors } = this.visitorDistribution(origin, hits, webAclArn);
    const mail = this.addMail();
    const uploads = new UploadQueue(this, 'Uploading', { deadLetters });
    const lanes = new WebhookQueue(this, 'Lanes', { deadLetters });
    const functions = apiFunctions(this.factory, { visitors, uploads, hits, mail });
    api.deploy(functions);
    api.acceptKeys(keys.accepted);
    this.addUploadWorker(visitors, uploads);
    this.addHitCounter(visitors, hits, mail);
    this.addWebhookSender(lanes, mail);
    const app = new AppDistribution(this, 'App', {
      settings,
      webApp: this.webApp(),
      certificateArn: this.certificates.app,
      ...origin,
      webAclArn,
    });
    const maintenance = this.addMaintenance(visitors, { uploads, mail, deadLetters });
    lanes.grantSending(maintenance);
    this.addAlarms({
      api: api.rest,
      gate,
      streams,
      maintenance,
      deadLetters,
      hits: hits.queue,
      mail,
      distributions: { app: app.distribution.distributionId, sites: visitors.distribution.attrId },
    });
    const projectsTable = this.props.data.tables.projects.tableName;
    new Dashboard(this, 'Dashboard', { api: api.rest, gate, projectsTable });
    this.addCostAndLogs(app, visitors);
    addStageOutputs(this, { settings, app, visitors });
    addRecords(this, { settings, zones: this.zones, app, visitors });
  }

  private apiKeys(): ApiKeys {
    return new ApiKeys(this, 'ApiKeys', {
      keyMaker: this.factory.createFunction('KeyMaker', 'api-keys', {
        timeoutSeconds: 60,
        memoryMb: 512,
      }),
      secrets: this.props.data.secrets,
      generation: this.props.settings.apiKeyGeneration,
    });
  }

  private firewallArn(): string | undefined {
    const { waf, appDomain } = this.props.settings;
    return waf ? new Firewall(this, 'Firewall', hostName(appDomain)).arn : undefined;
  }

  private addMail(): Mail | undefined {
    const { mailFrom, mailIdentity } = this.props.settings;
    if (typeof mailFrom !== 'string') return undefined;
    return new Mail(this, 'Mail', { from: mailFrom, mailIdentity, zones: this.zones });
  }

  private visitorDistribution(
    origin: ApiOriginProps,
    hits: HitQueue,
    webAclArn: string | undefined,
  ) {
    const { settings, data } = this.props;
    const gate = this.factory.createFunction('Gate', 'gate', {
      timeoutSeconds: 10,
      memoryMb: 1024,
      runsOften: true,
    });
    this.factory.grantVisits(gate, hits);
    const streams = this.streamingFunction(hits);
    const visitors = new VisitorDistribution(this, 'Visitors', {
      settings,
      certificateArn: this.certificates.sites,
      gate,
      // Lambda gives CPU in proportion to memory; this function reads and encodes megabytes.
      assets: this.factory.createFunction('ViewerAssets', 'viewer-assets', {
        timeoutSeconds: 10,
        memoryMb: 1024,
      }),
      streams,
      ...origin,
      content: data.content.bucket,
      connectionGroup: data.connectionGroup,
      webAclArn,
    });
    return { gate, streams, visitors };
  }

  private webApp(): WebApp {
    const { settings, bundlesDir, data } = this.props;
    const size = { timeoutSeconds: 120, memoryMb: 512 };
    const deployer = this.factory.createFunction('WebAppFiles', 'web-app', size);
    return new WebApp(this, 'WebApp', {
      settings,
      bundlesDir,
      deployer,
      uploads: data.content.bucket,
    });
  }

  private streamingFunction(hits: HitQueue): SlipwayFunction {
    // The largest ZIP, 190 MB, takes 92 seconds at Lambda's streaming rate of 2 MB/s. Slow visitors take longer.
    const { streamsConcurrency: reservedConcurrency } = this.props.settings;
    const size = { timeoutSeconds: 300, memoryMb: 1024, reservedConcurrency };
    const fn = this.factory.createFunction('Streams', 'streams', size);
    this.factory.grantVisits(fn, hits);
    this.props.data.tables.grantCounters(fn, ['UpdateItem']);
    return fn;
  }

  private addMaintenance(
    visitors: VisitorDistribution,
    {
      uploads,
      mail,
      deadLetters,
    }: { uploads: UploadQueue; mail: Mail | undefined; deadLetters: DeadLetters },
  ): SlipwayFunction {
    const { tables } = this.props.data;
    const fn = this.factory.createFunction('Maintenance', 'maintenance', {
      timeoutSeconds: 55,
      memoryMb: 512,
      runsOften: true,
    });
    this.factory.grantProjectChanges(fn, visitors, uploads);
    // Owners get a mail before projects over a smaller plan's limit are removed.
    this.factory.grantDomains(fn, visitors, { uploads, mail });
    tables.grantAccounts(fn, ['Query', 'DeleteItem']);
    // Deleting an account also deletes its connected apps.
    tables.grantOauth(fn, ['Query', 'DeleteItem']);
    // Owners get mails about opens, with a signed link that stops them.
    tables.grantStatistics(fn);
    this.factory.grantAccessSecret(fn);
    tables.grantDueQuery(fn);
    new Maintenance(this, 'Cleaning', { fn, tables, deadLetters });
    return fn;
  }

  private addUploadWorker(visitors: VisitorDistribution, uploads: UploadQueue): void {
    // Lambda gives CPU in proportion to memory; unpacking needs the CPU, not the memory.
    const fn = this.factory.createFunction('UploadWorker', 'upload-worker', {
      timeoutSeconds: maxFunctionSeconds,
      memoryMb: 1769,
    });
    this.factory.grantProjectChanges(fn, visitors, uploads);
    this.props.data.tables.grantCounters(fn, ['UpdateItem']);
    uploads.addConsumer(fn);
  }

  private addHitCounter(
    visitors: VisitorDistribution,
    hits: HitQueue,
    mail: Mail | undefined,
  ): void {
    const { tables } = this.props.data;
    // It mostly waits for DynamoDB, and nobody waits for it.
    const fn = this.factory.createFunction('HitCounter', 'hit-counter', {
      timeoutSeconds: 60,
      memoryMb: 512,
      runsOften: true,
    });
    this.factory.setDeploymentVariables(fn);
    this.factory.setPlans(fn);
    this.factory.grantMail(fn, mail);
    // DeleteItem forgets opens of deleted share links.
    tables.grantAnalytics(fn, ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query']);
    tables.grantAccounts(fn, ['GetItem']);
    // A counter ensures that an alert about wrong passwords is mailed once.
    tables.grantCounters(fn, ['GetItem', 'UpdateItem']);
    // Projects of an account that is far over its monthly visits rest.
    tables.grantProjects(fn, ['GetItem', 'PutItem']);
    // Opens that their owner gets a mail about.
    tables.grantProjects(fn, ['UpdateItem']);
    tables.grantSites(fn, ['PutItem']);
    tables.grantOwnerQuery(fn);
    visitors.grantInvalidation(fn);
    hits.addConsumer(fn);
  }

  private addWebhookSender(lanes: WebhookQueue, mail: Mail | undefined): void {
    const { tables } = this.props.data;
    // It waits for hosts of strangers: it reads no secret, no file and no session.
    const size = { timeoutSeconds: 60, memoryMb: 256, runsOften: true };
    const fn = this.factory.createFunction('WebhookSender', 'webhook-sender', size);
    this.factory.setDeploymentVariables(fn);
    this.factory.grantMail(fn, mail);
    tables.grantAccounts(fn, ['GetItem', 'PutItem']);
    tables.grantProjects(fn, ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query']);
    tables.grantCounters(fn, ['GetItem', 'UpdateItem']);
    lanes.grantSending(fn);
    lanes.addConsumer(fn, tables.grantProjectStream(fn));
  }

  /** Alarms that nobody would hear of are not made. */
  private addAlarms(watched: Omit<AlarmsProps, 'alarmEmail' | 'projectsTable'>): void {
    const { alarmEmail } = this.props.settings;
    if (alarmEmail === undefined) return;
    const { tableName } = this.props.data.tables.projects;
    new Alarms(this, 'Alarms', { ...watched, alarmEmail, projectsTable: tableName });
  }

  /** What costs money or needs a recipient, each behind its setting. */
  private addCostAndLogs(app: AppDistribution, visitors: VisitorDistribution): void {
    const { alarmEmail, monthlyBudget, edgeLogs, logRetentionDays } = this.props.settings;
    if (alarmEmail !== undefined && monthlyBudget !== undefined) {
      new Budget(this, 'Budget', { monthlyBudget, email: alarmEmail });
    }
    if (!edgeLogs) return;
    new EdgeLogs(this, 'EdgeLogs', {
      distributions: {
        app: app.distribution.distributionArn,
        sites: this.formatArn({
          service: 'cloudfront',
          region: '',
          resource: 'distribution',
          resourceName: visitors.distribution.attrId,
        }),
      },
      retentionDays: logRetentionDays,
    });
  }
}
