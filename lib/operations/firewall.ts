import * as wafv2 from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { oauthPaths } from '../../contract/oauth/oauth-paths.ts';

/**
 * Rules that count but do not block. Rules about bodies would block what people publish: HTML, scripts,
 * large files. Rules about the query would block OAuth clients: a redirect URI of
 * `http://127.0.0.1/` looks like an attack, and `state` may exceed the limit of 2,048 bytes. Rules about
 * extensions would block `curl -T app.log LINK/`, and a preview of a published `.log`, `.ini` or `.bak`.
 * Programs that call the API need no `User-Agent`: many HTTP libraries send none by themselves.
 */
const COUNT_ONLY_RULES = [
  'NoUserAgent_HEADER',
  'GenericRFI_QUERYARGUMENTS',
  'SizeRestrictions_QUERYSTRING',
  'RestrictedExtensions_QUERYARGUMENTS',
  'RestrictedExtensions_URIPATH',
  'CrossSiteScripting_BODY',
  'EC2MetaDataSSRF_BODY',
  'GenericLFI_BODY',
  'GenericRFI_BODY',
  'SizeRestrictions_BODY',
];

/** Requests of one IP address in five minutes; docs/cost.md calculates them. */
const maxRequests = {
  /** What reaches a function on sites: pages and forms. A school has one address. */
  pages: 15_000,
  /** All requests of sites. The edge answers most of the others from its cache. */
  sites: 120_000,
  app: 3000,
  /** All users of a hosted agent share its few addresses. */
  agents: 60_000,
};

type Statement = wafv2.CfnWebACL.StatementProperty;

/** A web ACL for both distributions: limits per IP address, and AWS's common rules for the app. */
export class Firewall extends Construct {
  readonly arn: string;

  /** Every host but the app's is a site: those of customers are known to no template. */
  constructor(scope: Construct, id: string, appHost: string) {
    super(scope, id);
    const onSite = not(isAppHost(appHost));
    const byAgent = agentCalls(appHost);
    const { pages, sites, app, agents } = maxRequests;
    this.arn = new wafv2.CfnWebACL(this, 'Acl', {
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig: visibility('Slipway'),
      rules: [
        perAddress('PagesPerAddress', 0, pages, all(onSite, not(isAsset))),
        perAddress('SiteRequestsPerAddress', 1, sites, onSite),
        perAddress('RequestsPerAddress', 2, app, all(isAppHost(appHost), not(byAgent))),
        perAddress('AgentCallsPerAddress', 3, agents, byAgent),
        commonRules(4, isAppHost(appHost)),
      ],
    }).attrArn;
  }
}

/**
 * A path that ends like a file, but not like a page. The edge may have it in its cache, where it costs no
 * function. Whoever requests such paths that do not exist is limited by the number of all requests.
 */
const isAsset: Statement = all(matchesRegex('\\.[a-z0-9]{1,16}$'), not(matchesRegex('\\.html?$')));

/**
 * AWS's rules against attacks on applications. Not on sites: what people publish there would be blocked
 * by its name, and one site could lock visitors out of all others with cookies that these rules refuse.
 */
function commonRules(
  priority: number,
  scopeDownStatement: Statement,
): wafv2.CfnWebACL.RuleProperty {
  return {
    name: 'CommonRules',
    priority,
    overrideAction: { none: {} },
    statement: {
      managedRuleGroupStatement: {
        vendorName: 'AWS',
        name: 'AWSManagedRulesCommonRuleSet',
        scopeDownStatement,
        ruleActionOverrides: COUNT_ONLY_RULES.map((name) => ({
          name,
          actionToUse: { count: {} },
        })),
      },
    },
    visibilityConfig: visibility('CommonRules'),
  };
}

function perAddress(
  name: string,
  priority: number,
  limit: number,
  scopeDownStatement: Statement,
): wafv2.CfnWebACL.RuleProperty {
  return {
    name,
    priority,
    action: { block: {} },
    statement: { rateBasedStatement: { aggregateKeyType: 'IP', limit, scopeDownStatement } },
    visibilityConfig: visibility(name),
  };
}

/** Requests that a hosted agent's servers send for all its users. On a site these paths are ordinary pages. */
function agentCalls(appHost: string): Statement {
  const paths = [oauthPaths.mcp, oauthPaths.token].map((path) =>
    matches({ uriPath: {} }, path, 'STARTS_WITH'),
  );
  return all(isAppHost(appHost), { orStatement: { statements: paths } });
}

/** The host with a port or without, which a client may write out. */
function isAppHost(appHost: string): Statement {
  const host: wafv2.CfnWebACL.FieldToMatchProperty = { singleHeader: { Name: 'host' } };
  return {
    orStatement: {
      statements: [matches(host, appHost, 'EXACTLY'), matches(host, `${appHost}:`, 'STARTS_WITH')],
    },
  };
}

function all(...statements: Statement[]): Statement {
  return { andStatement: { statements } };
}

function not(statement: Statement): Statement {
  return { notStatement: { statement } };
}

function matchesRegex(regexString: string): Statement {
  const textTransformations = [{ priority: 0, type: 'LOWERCASE' }];
  return {
    regexMatchStatement: { fieldToMatch: { uriPath: {} }, regexString, textTransformations },
  };
}

function matches(
  fieldToMatch: wafv2.CfnWebACL.FieldToMatchProperty,
  searchString: string,
  positionalConstraint: 'EXACTLY' | 'STARTS_WITH' | 'ENDS_WITH',
): Statement {
  const textTransformations = [{ priority: 0, type: 'LOWERCASE' }];
  return {
    byteMatchStatement: { fieldToMatch, searchString, positionalConstraint, textTransformations },
  };
}

function visibility(metricName: string): wafv2.CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}
