import { describe, expect, test } from '@jest/globals';
import { largeFileFields } from '../../contract/visits/large-file-fields.ts';
import {
  fullSettings,
  type Json,
  localSettings,
  named,
  ofType,
  onlyOf,
  type Synthesized,
  synthesize,
} from './synthesize.ts';

const { service } = await synthesize();
const { service: local } = await synthesize(localSettings);
const { service: full } = await synthesize(fullSettings);

const app = (template: Synthesized) =>
  named(template, 'AWS::CloudFront::Distribution', 'AppDistribution').Properties.DistributionConfig;
const visitors = (template: Synthesized) =>
  named(template, 'AWS::CloudFront::Distribution', 'VisitorsDistribution').Properties
    .DistributionConfig;
const policyOf = (reference: { Ref: string }) =>
  service.Resources[reference.Ref]?.Properties.CachePolicyConfig;
const responsePolicyOf = (reference: { Ref: string }) =>
  service.Resources[reference.Ref]?.Properties.ResponseHeadersPolicyConfig;
const urlOf = (id: string) => named(service, 'AWS::Lambda::Url', `${id}FunctionUrl`).Properties;

describe('app distribution', () => {
  test('sends everything except the host to the API, uncached, with the secret header', () => {
    const config = app(service);
    expect(config.DefaultCacheBehavior).toMatchObject({
      AllowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'],
      // The managed policies CachingDisabled and AllViewerExceptHostHeader.
      CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
      OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
      ViewerProtocolPolicy: 'redirect-to-https',
    });
    expect(config.HttpVersion).toBe('http2and3');
    // The second one is the bucket of the web app.
    expect(config.Origins).toHaveLength(2);
    expect(config.Origins[0]).toMatchObject({
      OriginPath: '/live',
      CustomOriginConfig: { OriginProtocolPolicy: 'https-only', OriginSSLProtocols: ['TLSv1.2'] },
      OriginCustomHeaders: [{ HeaderName: 'x-api-key' }, { HeaderName: 'x-slipway-origin' }],
    });
    const headers = JSON.stringify(config.Origins[0].OriginCustomHeaders);
    expect(headers).toContain('{{resolve:secretsmanager:');
    expect(headers).toContain(':SecretString::origin-current:}}');
    // The resource that makes the first value comes before, because the other header is its attribute.
    expect(headers).toMatch(/"Fn::GetAtt":\["ApiKeys\w+","ApiKey1"\]/);
  });

  test('has no alias without a certificate, which CloudFront would refuse', () => {
    expect(app(service)).not.toHaveProperty('Aliases');
  });

  test('has its alias with a certificate, for browsers that name the host, on TLS 1.2 of 2025', () => {
    expect(app(full)).toMatchObject({
      Aliases: ['app.example.org'],
      ViewerCertificate: {
        AcmCertificateArn: fullSettings.appCertificateArn,
        MinimumProtocolVersion: 'TLSv1.2_2025',
        SslSupportMethod: 'sni-only',
      },
    });
  });

  test('tells browsers at all its addresses to use TLS for a year', () => {
    const config = app(service);
    for (const { ResponseHeadersPolicyId } of [
      config.DefaultCacheBehavior,
      ...config.CacheBehaviors,
    ]) {
      const { SecurityHeadersConfig } = responsePolicyOf(ResponseHeadersPolicyId);
      expect(SecurityHeadersConfig.StrictTransportSecurity).toEqual({
        AccessControlMaxAgeSec: 31_536_000,
        Override: true,
      });
    }
  });

  test('answers for localhost in the local cloud', () => {
    expect(app(local).Aliases).toEqual(['localhost']);
  });
});

describe('visitor distribution', () => {
  test('serves tenants only, and has no setting that CloudFront refuses there', () => {
    const config = visitors(service);
    expect(config.ConnectionMode).toBe('tenant-only');
    for (const name of ['Aliases', 'IPV6Enabled', 'PriceClass']) {
      expect(config).not.toHaveProperty(name);
    }
  });

  test('gives every tenant a certificate, SNI and TLS 1.2 of 2025', () => {
    expect(visitors(full).ViewerCertificate).toEqual({
      AcmCertificateArn: fullSettings.sitesCertificateArn,
      MinimumProtocolVersion: 'TLSv1.2_2025',
      SslSupportMethod: 'sni-only',
    });
  });

  test('is invalidated by the tags that the gate sends', () => {
    expect(visitors(service).CacheTagConfig).toEqual({ HeaderName: 'x-amz-meta-cache-tag' });
  });

  test('shows visitors no tag of the cache, and leaves HSTS to the owners of sites', () => {
    const { DefaultCacheBehavior, CacheBehaviors } = visitors(service);
    const tagged = [DefaultCacheBehavior, ...CacheBehaviors].filter(({ TargetOriginId }: Json) =>
      /^(gate|streams)\b/.test(TargetOriginId),
    );
    expect(tagged).toHaveLength(8);
    for (const { ResponseHeadersPolicyId } of tagged) {
      const policy = responsePolicyOf(ResponseHeadersPolicyId);
      const removed = policy.RemoveHeadersConfig.Items.map(({ Header }: Json) => Header);
      expect(removed).toContain('x-amz-meta-cache-tag');
      expect(policy.SecurityHeadersConfig ?? {}).not.toHaveProperty('StrictTransportSecurity');
    }
  });

  test('caches pages by host, access cookie and preview only', () => {
    const behavior = visitors(service).DefaultCacheBehavior;
    expect(policyOf(behavior.CachePolicyId)).toMatchObject({
      MinTTL: 0,
      DefaultTTL: 0,
      MaxTTL: 86_400,
      ParametersInCacheKeyAndForwardedToOrigin: {
        HeadersConfig: {
          HeaderBehavior: 'whitelist',
          Headers: [
            'x-slipway-host',
            'x-slipway-domain',
            'x-slipway-path',
            'x-slipway-access',
            'x-slipway-preview',
            'x-slipway-cleared',
            'x-slipway-worker',
            'x-slipway-view',
          ],
        },
        CookiesConfig: { CookieBehavior: 'none' },
        QueryStringsConfig: { QueryStringBehavior: 'none' },
        EnableAcceptEncodingBrotli: true,
        EnableAcceptEncodingGzip: true,
      },
    });
  });

  // CloudFront signs the path and the query, and a function URL computes another signature for some.
  test('sends functions their path in a header of the cache key, and no query', () => {
    const { DefaultCacheBehavior, CacheBehaviors, Origins } = visitors(service);
    const functions = new Set<string>(
      Origins.filter((origin: Json) =>
        JSON.stringify(origin.DomainName).includes('FunctionUrl'),
      ).map((origin: Json) => origin.Id),
    );
    expect([...functions].toSorted()).toEqual(['assets', 'gate', 'streams']);
    const all = [DefaultCacheBehavior, ...CacheBehaviors];
    const signed = all.filter((one: Json) =>
      functions.has(one.TargetOriginId.replace('-or-busy', '')),
    );
    expect(signed).toHaveLength(9);
    for (const { CachePolicyId } of signed) {
      const { HeadersConfig, QueryStringsConfig } =
        policyOf(CachePolicyId).ParametersInCacheKeyAndForwardedToOrigin;
      expect(HeadersConfig.Headers).toContain('x-slipway-path');
      expect(QueryStringsConfig).toEqual({ QueryStringBehavior: 'none' });
    }
  });

  test('asks storage for nothing: only a function that decided leads there', () => {
    const { DefaultCacheBehavior, CacheBehaviors, Origins } = visitors(service);
    expect(Origins.map(({ Id }: Json) => Id)).toContain('storage');
    for (const { TargetOriginId } of [DefaultCacheBehavior, ...CacheBehaviors])
      expect(TargetOriginId).not.toBe('storage');
  });

  test('sends large files as pages are keyed, each kind with the headers that S3 does not send', () => {
    const { DefaultCacheBehavior, CacheBehaviors } = visitors(service);
    const kinds = ['files', 'isolated', 'download'] as const;
    for (const [at, kind] of kinds.entries()) {
      const { PathPattern, CachePolicyId, ResponseHeadersPolicyId } = CacheBehaviors[at];
      expect(PathPattern).toBe(`/_slipway/${kind}/*`);
      expect(CachePolicyId).toEqual(DefaultCacheBehavior.CachePolicyId);
      const policy = responsePolicyOf(ResponseHeadersPolicyId);
      const custom = policy.CustomHeadersConfig.Items.map(({ Header, Value }: Json) => [
        Header,
        Value,
      ]);
      const { ContentSecurityPolicy, ContentTypeOptions } = policy.SecurityHeadersConfig;
      expect(ContentTypeOptions).toEqual({ Override: true });
      const csp = ContentSecurityPolicy?.ContentSecurityPolicy;
      const sent = Object.fromEntries([
        ...custom,
        ...(csp ? [['content-security-policy', csp]] : []),
      ]);
      expect(sent).toEqual(largeFileFields[kind]);
    }
  });

  test('sends forms and cookies to the API uncached, with the secret header, by the last behaviour below its path', () => {
    const { CacheBehaviors, Origins } = visitors(service);
    const [forms, ...others] = CacheBehaviors.slice(8);
    expect(others).toEqual([]);
    expect(forms).toMatchObject({
      PathPattern: '/_slipway/*',
      AllowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'],
      // The managed policies CachingDisabled and AllViewerExceptHostHeader.
      CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
      OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
      ViewerProtocolPolicy: 'redirect-to-https',
    });
    const origin = Origins.find(({ Id }: Json) => Id === forms.TargetOriginId);
    const [ofApp] = app(service).Origins;
    expect(origin).toMatchObject({
      DomainName: ofApp.DomainName,
      OriginPath: '/live',
      CustomOriginConfig: { OriginProtocolPolicy: 'https-only', OriginSSLProtocols: ['TLSv1.2'] },
      OriginCustomHeaders: ofApp.OriginCustomHeaders,
    });
  });

  test('caches files of viewer pages by path and encoding only', () => {
    const assets = visitors(service).CacheBehaviors.find(
      ({ TargetOriginId }: Json) => TargetOriginId === 'assets-or-busy',
    );
    expect(assets).toMatchObject({
      PathPattern: '/_slipway/assets/*',
      TargetOriginId: 'assets-or-busy',
      AllowedMethods: ['GET', 'HEAD'],
      Compress: false,
    });
    expect(assets).not.toHaveProperty('OriginRequestPolicyId');
    expect(policyOf(assets.CachePolicyId)).toMatchObject({
      MinTTL: 0,
      DefaultTTL: 0,
      MaxTTL: 31_536_000,
      ParametersInCacheKeyAndForwardedToOrigin: {
        HeadersConfig: { HeaderBehavior: 'whitelist', Headers: ['x-slipway-path'] },
        CookiesConfig: { CookieBehavior: 'none' },
        QueryStringsConfig: { QueryStringBehavior: 'none' },
        EnableAcceptEncodingBrotli: true,
        EnableAcceptEncodingGzip: true,
      },
    });
  });

  test('sends as many ZIPs and large files at once as the setting says, which others cannot take', async () => {
    const { service: own } = await synthesize({ ...localSettings, streamsConcurrency: 7 });
    const streams = named(own, 'AWS::Lambda::Function', 'Streams').Properties;
    expect(streams.ReservedConcurrentExecutions).toBe(7);
    const free = named(service, 'AWS::Lambda::Function', 'Streams').Properties;
    expect(free).not.toHaveProperty('ReservedConcurrentExecutions');
  });

  test('answers pages from the gate, or from the busy page while it is throttled or fails, for methods that a group may have', () => {
    const { DefaultCacheBehavior, CacheBehaviors, OriginGroups } = visitors(service);
    const groups = OriginGroups.Items.map(({ Id, Members, FailoverCriteria }: Json) => [
      Id,
      Members.Items.map(({ OriginId }: Json) => OriginId),
      FailoverCriteria.StatusCodes.Items,
    ]);
    expect(groups).toEqual([
      ['gate-or-busy', ['gate', 'busy'], [429, 502, 504]],
      ['assets-or-busy', ['assets', 'busy'], [429, 502, 504]],
      ['streams-or-busy', ['streams', 'busy'], [502, 504]],
    ]);
    for (const { Members, FailoverCriteria } of OriginGroups.Items) {
      for (const list of [Members, FailoverCriteria.StatusCodes])
        expect(list.Quantity).toBe(list.Items.length);
    }
    expect(OriginGroups.Quantity).toBe(3);
    expect(DefaultCacheBehavior).toMatchObject({
      TargetOriginId: 'gate-or-busy',
      AllowedMethods: ['GET', 'HEAD', 'OPTIONS'],
    });
    const writable = CacheBehaviors.filter(({ AllowedMethods }: Json) =>
      AllowedMethods.includes('POST'),
    ).map(({ PathPattern, TargetOriginId }: Json) => [PathPattern, TargetOriginId]);
    expect(writable).toEqual([['/_slipway/*', 'forms']]);
  });

  test('streams ZIPs and files of owners, with the same headers about the visitor as the gate', () => {
    const { DefaultCacheBehavior, CacheBehaviors, Origins } = visitors(service);
    const { TargetOriginId: _, ...decided } = DefaultCacheBehavior;
    expect(CacheBehaviors.slice(3, 6)).toEqual([
      { ...decided, PathPattern: '/_slipway/zip', TargetOriginId: 'streams-or-busy' },
      { ...decided, PathPattern: '/_slipway/zip/*', TargetOriginId: 'streams-or-busy' },
      { ...decided, PathPattern: '/_slipway/own/*', TargetOriginId: 'streams-or-busy' },
    ]);
    const [gate, streams] = ['gate', 'streams'].map((id) =>
      Origins.find(({ Id }: Json) => Id === id),
    );
    expect({ ...streams, DomainName: '' }).toEqual({ ...gate, Id: 'streams', DomainName: '' });
    expect(urlOf('Streams')).toMatchObject({ AuthType: 'AWS_IAM', InvokeMode: 'RESPONSE_STREAM' });
    expect(JSON.stringify(streams.DomainName)).toContain('StreamsFunctionUrl');
  });

  test('sends reports of opens to the gate, kept by nobody, as page views', () => {
    const { DefaultCacheBehavior, CacheBehaviors } = visitors(service);
    const reports = { ...DefaultCacheBehavior, PathPattern: '/_slipway/seen' };
    expect(CacheBehaviors[7]).toEqual(reports);
  });

  test('signs its requests to functions and to the bucket', () => {
    const { Origins } = visitors(service);
    const signedOrigins = Origins.filter(({ Id }: Json) => !['forms', 'busy'].includes(Id));
    const types = signedOrigins.map((origin: Json) => [
      origin.Id,
      service.Resources[origin.OriginAccessControlId['Fn::GetAtt'][0]]?.Properties
        .OriginAccessControlConfig,
    ]);
    const signed = { SigningBehavior: 'always', SigningProtocol: 'sigv4' };
    expect(Object.fromEntries(types)).toMatchObject({
      assets: { ...signed, OriginAccessControlOriginType: 'lambda' },
      gate: { ...signed, OriginAccessControlOriginType: 'lambda' },
      storage: { ...signed, OriginAccessControlOriginType: 's3' },
    });
    expect(Origins[1].OriginPath).toBe('/content');
  });

  test('has a page for busy sites at the API, without the secret header', () => {
    const origin = (id: string) => visitors(service).Origins.find(({ Id }: Json) => Id === id);
    const { OriginCustomHeaders, ...forms } = origin('forms');
    expect(OriginCustomHeaders.map(({ HeaderName }: Json) => HeaderName)).toEqual([
      'x-api-key',
      'x-slipway-origin',
    ]);
    expect(origin('busy')).toEqual({
      ...forms,
      Id: 'busy',
      // With the path `/`, which functions get, this is a path beneath `/_busy`, slash or not.
      OriginPath: '/live/_busy/page',
      OriginCustomHeaders: [OriginCustomHeaders[0]],
    });
  });

  test('runs the viewer function for every request of every behaviour', () => {
    const { DefaultCacheBehavior, CacheBehaviors } = visitors(service);
    for (const behavior of [DefaultCacheBehavior, ...CacheBehaviors]) {
      expect(behavior.FunctionAssociations).toEqual([
        {
          EventType: 'viewer-request',
          FunctionARN: {
            'Fn::GetAtt': [expect.stringMatching(/^VisitorsViewerRequest/), 'FunctionARN'],
          },
        },
      ]);
    }
  });

  test('never uses the managed policy that keeps private answers for a second', () => {
    expect(JSON.stringify(service)).not.toContain('658327ea-f89d-4fab-a63d-7e88639e58f6');
  });

  test.each(['Gate', 'Streams', 'ViewerAssets'])(
    'may call %s, as distribution and as tenant, and nobody else may',
    (id) => {
      expect(ofType(service, 'AWS::Lambda::Url')).toHaveLength(3);
      expect(urlOf(id).AuthType).toBe('AWS_IAM');
      const permissions = ofType(service, 'AWS::Lambda::Permission')
        .map(({ Properties }) => Properties)
        .filter((permission) => JSON.stringify(permission.FunctionName).includes(`"${id}`));
      const seen = permissions.map((permission) =>
        [
          permission.Principal,
          permission.Action,
          /:distribution-tenant\/\*/.test(JSON.stringify(permission.SourceArn))
            ? 'tenants'
            : 'itself',
        ].join(' '),
      );
      expect(seen.toSorted()).toEqual([
        'cloudfront.amazonaws.com lambda:InvokeFunction itself',
        'cloudfront.amazonaws.com lambda:InvokeFunction tenants',
        'cloudfront.amazonaws.com lambda:InvokeFunctionUrl itself',
        'cloudfront.amazonaws.com lambda:InvokeFunctionUrl tenants',
      ]);
    },
  );
});

describe('content bucket', () => {
  const [policy] = ofType(service, 'AWS::S3::BucketPolicy').filter(({ Properties }) =>
    JSON.stringify(Properties).includes('/content/*'),
  );
  const [onlyTls, largeFiles, ...others] = policy?.Properties.PolicyDocument.Statement ?? [];

  test('refuses everything without TLS', () => {
    expect(onlyTls).toMatchObject({
      Effect: 'Deny',
      Action: 's3:*',
      Principal: { AWS: '*' },
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    });
    expect(onlyTls.Resource).toHaveLength(2);
  });

  test('lets CloudFront read published files for our distribution and its tenants, nothing else', () => {
    expect(others).toEqual([]);
    expect(largeFiles).toMatchObject({
      Effect: 'Allow',
      Action: 's3:GetObject',
      Principal: { Service: 'cloudfront.amazonaws.com' },
    });
    expect(JSON.stringify(largeFiles.Resource)).toContain('/content/*');
    expect(JSON.stringify(largeFiles.Condition.ArnLike['aws:SourceArn'])).toContain(
      'VisitorsDistribution',
    );
  });
});

describe('platform tenant', () => {
  const type = 'AWS::CloudFront::DistributionTenant';

  test('needs a certificate, without which CloudFront would refuse it', () => {
    expect(ofType(service, type)).toEqual([]);
    expect(service.Outputs.SitesAddress).toBeDefined();
  });

  test('serves the sites domain and every name under it with the given certificate', () => {
    expect(onlyOf(full, type).Properties).toMatchObject({
      Domains: ['*.example.site', 'example.site'],
      Customizations: { Certificate: { Arn: fullSettings.sitesCertificateArn } },
    });
  });

  test('needs no certificate in the local cloud, and has no port in its name', () => {
    const { Properties } = onlyOf(local, type);
    expect(Properties.Domains).toEqual(['*.sites.localhost', 'sites.localhost']);
    expect(Properties).not.toHaveProperty('Customizations');
  });
});

describe('what CloudFront sends to the API', () => {
  const keysOf = (template: Synthesized) => {
    const origins = [...app(template).Origins, ...visitors(template).Origins];
    const sent = origins
      .flatMap(({ OriginCustomHeaders = [] }: Json) => OriginCustomHeaders)
      .filter(({ HeaderName }: Json) => HeaderName === 'x-api-key')
      .map(({ HeaderValue }: Json) => HeaderValue['Fn::GetAtt'][1]);
    const accepted = ofType(template, 'AWS::ApiGateway::ApiKey').map(
      ({ Properties }) => Properties.Value['Fn::GetAtt'][1],
    );
    return { sent, accepted };
  };

  test('opens every method, also those that no function answers', () => {
    const { paths } = onlyOf(service, 'AWS::ApiGateway::RestApi').Properties.Body;
    for (const { security } of Object.values<Json>(paths).flatMap(Object.values<Json>)) {
      expect(security).toContainEqual({ api_key: [] });
    }
    const plan = onlyOf(service, 'AWS::ApiGateway::UsagePlan');
    expect(plan.Properties.ApiStages).toHaveLength(1);
    expect(plan.Properties).not.toHaveProperty('Throttle');
    expect(plan.Properties).not.toHaveProperty('Quota');
    // App, forms, and the page that needs no function.
    expect(keysOf(service).sent).toEqual(['ApiKey1', 'ApiKey1', 'ApiKey1']);
    expect(ofType(service, 'AWS::ApiGateway::UsagePlanKey')).toHaveLength(2);
  });

  test('is accepted before and after a rotation, whichever edge is behind', async () => {
    const before = keysOf(service);
    const after = keysOf((await synthesize({ apiKeyGeneration: 2 })).service);
    expect(before.accepted).toEqual(['ApiKey1', 'ApiKey2']);
    expect(after.accepted).toEqual(['ApiKey1', 'ApiKey2', 'ApiKey3']);
    expect(after.sent).toEqual(['ApiKey2', 'ApiKey2', 'ApiKey2']);
    expect(before.accepted).toContain(after.sent[0]);
    expect(after.accepted).toContain(before.sent[0]);
  });
});

describe('firewall', () => {
  test('is off unless asked for', () => {
    expect(ofType(service, 'AWS::WAFv2::WebACL')).toEqual([]);
    expect(app(service)).not.toHaveProperty('WebACLId');
  });

  const rulesOf = () => onlyOf(full, 'AWS::WAFv2::WebACL').Properties.Rules as Json[];
  const appHost = 'app.example.org';
  const site = `a.${fullSettings.sitesDomain}`;

  /** The rules that count a request, as AWS WAF evaluates their statements. */
  function countedBy(host: string, uri: string): string[] {
    const fieldOf = ({ UriPath }: Json) => (UriPath === undefined ? host : uri).toLowerCase();
    const holds = (statement: Json): boolean => {
      const { AndStatement, OrStatement, NotStatement, ByteMatchStatement } = statement;
      if (AndStatement) return AndStatement.Statements.every(holds);
      if (OrStatement) return OrStatement.Statements.some(holds);
      if (NotStatement) return !holds(NotStatement.Statement);
      const { FieldToMatch } = ByteMatchStatement ?? statement.RegexMatchStatement;
      const field = fieldOf(FieldToMatch);
      if (!ByteMatchStatement)
        return new RegExp(statement.RegexMatchStatement.RegexString).test(field);
      const { SearchString, PositionalConstraint } = ByteMatchStatement;
      if (PositionalConstraint === 'ENDS_WITH') return field.endsWith(SearchString);
      return PositionalConstraint === 'EXACTLY'
        ? field === SearchString
        : field.startsWith(SearchString);
    };
    return rulesOf()
      .filter(({ Statement }) => {
        const { RateBasedStatement, ManagedRuleGroupStatement } = Statement;
        return holds((RateBasedStatement ?? ManagedRuleGroupStatement).ScopeDownStatement);
      })
      .map(({ Name }) => Name);
  }

  test.each([
    [site, '/', ['PagesPerAddress', 'SiteRequestsPerAddress']],
    [site, '/about', ['PagesPerAddress', 'SiteRequestsPerAddress']],
    [site, '/a.b/page.HTML', ['PagesPerAddress', 'SiteRequestsPerAddress']],
    [site, '/_slipway/unlock', ['PagesPerAddress', 'SiteRequestsPerAddress']],
    [site, '/mcp', ['PagesPerAddress', 'SiteRequestsPerAddress']],
    // A customer's own domain, and its bare name and `www`.
    ['shop.customer.com', '/logs/app.log', ['SiteRequestsPerAddress']],
    ['customer.com', '/', ['PagesPerAddress', 'SiteRequestsPerAddress']],
    ['www.customer.com', '/mcp', ['PagesPerAddress', 'SiteRequestsPerAddress']],
    // Only looks like the app's host.
    [`${appHost}.customer.com`, '/', ['PagesPerAddress', 'SiteRequestsPerAddress']],
    // The edge may have them.
    [site, '/style.css', ['SiteRequestsPerAddress']],
    [site, '/_slipway/assets/open-1A2B3C4D.js', ['SiteRequestsPerAddress']],
    // What people publish is not blocked by its name.
    [site, '/logs/app.log', ['SiteRequestsPerAddress']],
    [site, '/config.ini', ['SiteRequestsPerAddress']],
    [site, '/index.bak', ['SiteRequestsPerAddress']],
    [appHost, '/', ['RequestsPerAddress', 'CommonRules']],
    [appHost, '/v1/upload-links/abc/app.log', ['RequestsPerAddress', 'CommonRules']],
    [appHost, '/mcp', ['AgentCallsPerAddress', 'CommonRules']],
    [appHost, '/oauth/token', ['AgentCallsPerAddress', 'CommonRules']],
    // Another way to write the app's host gets no less.
    [`${appHost}:443`, '/', ['RequestsPerAddress', 'CommonRules']],
    [`${appHost}:443`, '/mcp', ['AgentCallsPerAddress', 'CommonRules']],
  ])('%s%s is for the rules %j', (host, uri, expected) => {
    expect(countedBy(host, uri)).toEqual(expected);
  });

  test('lets a school behind one address view pages, and a flood not', () => {
    const limits = Object.fromEntries(
      rulesOf().map(({ Name, Statement }) => [Name, Statement.RateBasedStatement?.Limit]),
    );
    // 1,500 people, four pages in five minutes: each page and its report of an open, 30 files once, three later.
    const pages = 1500 * 4 * 2;
    const files = 1500 * (30 + 3 * 3);
    expect(limits['PagesPerAddress']).toBeGreaterThan(pages);
    expect(limits['SiteRequestsPerAddress']).toBeGreaterThan(pages + files);
    // 400 a second is what one address can do at most.
    expect(limits['SiteRequestsPerAddress']).toBeLessThanOrEqual(400 * 300);
    expect(limits).toMatchObject({ RequestsPerAddress: 3000, AgentCallsPerAddress: 60_000 });
  });

  test('protects both distributions and does not inspect bodies', () => {
    const acl = onlyOf(full, 'AWS::WAFv2::WebACL').Properties;
    expect(acl.Scope).toBe('CLOUDFRONT');
    const group = rulesOf().at(-1)?.Statement.ManagedRuleGroupStatement;
    expect(group.Name).toBe('AWSManagedRulesCommonRuleSet');
    for (const { Statement } of rulesOf().slice(0, -1)) {
      expect(Statement.RateBasedStatement.AggregateKeyType).toBe('IP');
    }
    for (const config of [app(full), visitors(full)]) {
      expect(config.WebACLId).toEqual({
        'Fn::GetAtt': [expect.stringMatching(/^Firewall/), 'Arn'],
      });
    }
  });

  test.each([
    ['what people publish', 'CrossSiteScripting_BODY'],
    ['files of any size', 'SizeRestrictions_BODY'],
    ['programs that name no user agent, of which `npm run smoke` is one', 'NoUserAgent_HEADER'],
    ['an app that is sent back to an address of this machine', 'GenericRFI_QUERYARGUMENTS'],
    ['an app with a long state', 'SizeRestrictions_QUERYSTRING'],
    ['a log that is sent to an upload link', 'RestrictedExtensions_URIPATH'],
    ['a published log that is embedded elsewhere', 'RestrictedExtensions_QUERYARGUMENTS'],
  ])('does not block %s', (_, Name) => {
    expect(
      rulesOf().at(-1)?.Statement.ManagedRuleGroupStatement.RuleActionOverrides,
    ).toContainEqual({
      Name,
      ActionToUse: { Count: {} },
    });
  });
});
