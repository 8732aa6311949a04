import * as wafv2 from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { oauthPaths } from '../../contract/oauth/oauth.ts';

/**
 * Rules that only count. Those that read bodies would block what people publish: HTML, scripts, big
 * files. Those of the query would block apps that ask for access: a redirect to `http://127.0.0.1/`
 * is taken for an attack, and a `state` may be longer than the 2,048 bytes that a query may have.
 */
const COUNTED_RULES = [
  'GenericRFI_QUERYARGUMENTS',
  'SizeRestrictions_QUERYSTRING',
  'CrossSiteScripting_BODY',
  'EC2MetaDataSSRF_BODY',
  'GenericLFI_BODY',
  'GenericRFI_BODY',
  'SizeRestrictions_BODY',
];

/** Requests of one address in five minutes. */
const MAX_REQUESTS = 3000;
/** Calls of one address in five minutes, on paths where everybody who uses one hosted agent shares its few addresses. */
const MAX_AGENT_CALLS = 60_000;

/** A web ACL for both distributions: limits per address, and AWS's common rules. */
export class Firewall extends Construct {
  readonly arn: string;

  /** @param appHost host name of the app, whose MCP endpoint has a limit of its own */
  constructor(scope: Construct, id: string, appHost: string) {
    super(scope, id);
    this.arn = new wafv2.CfnWebACL(this, 'Acl', {
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig: visibility('Slipway'),
      rules: [
        perAddress('RequestsPerAddress', 0, {
          limit: MAX_REQUESTS,
          scopeDownStatement: { notStatement: { statement: callsOfAgents(appHost) } },
        }),
        perAddress('AgentCallsPerAddress', 1, {
          limit: MAX_AGENT_CALLS,
          scopeDownStatement: callsOfAgents(appHost),
        }),
        {
          name: 'CommonRules',
          priority: 2,
          overrideAction: { none: {} },
          statement: {
            managedRuleGroupStatement: {
              vendorName: 'AWS',
              name: 'AWSManagedRulesCommonRuleSet',
              ruleActionOverrides: COUNTED_RULES.map((name) => ({
                name,
                actionToUse: { count: {} },
              })),
            },
          },
          visibilityConfig: visibility('CommonRules'),
        },
      ],
    }).attrArn;
  }
}

function perAddress(
  name: string,
  priority: number,
  rate: { limit: number; scopeDownStatement: wafv2.CfnWebACL.StatementProperty },
): wafv2.CfnWebACL.RuleProperty {
  return {
    name,
    priority,
    action: { block: {} },
    statement: { rateBasedStatement: { aggregateKeyType: 'IP', ...rate } },
    visibilityConfig: visibility(name),
  };
}

/** What a hosted agent's servers ask for all of its people; on a site these paths are pages like all others. */
function callsOfAgents(appHost: string): wafv2.CfnWebACL.StatementProperty {
  const paths = [oauthPaths.mcp, oauthPaths.token].map((path) =>
    matches({ uriPath: {} }, path, 'STARTS_WITH'),
  );
  const onApp = matches({ singleHeader: { Name: 'host' } }, appHost, 'EXACTLY');
  return { andStatement: { statements: [onApp, { orStatement: { statements: paths } }] } };
}

function matches(
  fieldToMatch: wafv2.CfnWebACL.FieldToMatchProperty,
  searchString: string,
  positionalConstraint: 'EXACTLY' | 'STARTS_WITH',
): wafv2.CfnWebACL.StatementProperty {
  const textTransformations = [{ priority: 0, type: 'LOWERCASE' }];
  return {
    byteMatchStatement: { fieldToMatch, searchString, positionalConstraint, textTransformations },
  };
}

function visibility(metricName: string): wafv2.CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}
