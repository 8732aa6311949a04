import { StartError } from '../../errors.ts';
import type { GatewayResponseSource } from './openapi-body.ts';

/** A gateway response: how the document changes a refusal of the service. */
export type GatewayResponse = ReturnType<typeof parseGatewayResponse>;

const contextNames = [
  'accountId',
  'apiId',
  'domainName',
  'error.message',
  'error.messageString',
  'error.responseType',
  'error.validationErrorString',
  'extendedRequestId',
  'httpMethod',
  'identity.sourceIp',
  'identity.userAgent',
  'path',
  'protocol',
  'requestId',
  'requestTime',
  'requestTimeEpoch',
  'stage',
] as const;
/** A variable of `$context`. */
export type ContextName = (typeof contextNames)[number];

/** The service's default body. */
export const defaultTemplates: Record<string, string> = {
  'application/json': '{"message":$context.error.messageString}',
};

/** Checks and normalises a gateway response of the document; `where` is for messages. */
export function parseGatewayResponse(
  where: string,
  { statusCode, responseParameters, responseTemplates }: GatewayResponseSource,
) {
  for (const template of Object.values(responseTemplates)) checkTemplate(where, template);
  const headers = Object.entries(responseParameters).map(([target, source]) => {
    const header = /^gatewayresponse\.header\.(.+)$/.exec(target)?.[1];
    if (header === undefined || !isSource(source)) {
      throw new StartError(`${where}.responseParameters maps ${target} from ${source}.`);
    }
    return [header.toLowerCase(), source] as const;
  });
  return {
    status: statusCode,
    /** Header name (lower case) and source: `'literal'`, `context.<name>` or `method.request.header.<name>`. */
    headers,
    /** Body template by media type. */
    templates: Object.keys(responseTemplates).length === 0 ? defaultTemplates : responseTemplates,
  };
}

/** The service substitutes variables only; `$util`, `$input` and directives would be sent unchanged. */
function checkTemplate(where: string, template: string): void {
  const variables = template.match(/\$[A-Za-z!{][\w.]*/g) ?? [];
  const unknown = variables.find((variable) => !isContextName(variable.replace('$context.', '')));
  if (unknown === undefined) return;
  throw new StartError(`${where}.responseTemplates uses ${unknown}, which is not substituted.`);
}

function isSource(source: string): boolean {
  if (/^'.*'$/s.test(source) || /^method\.request\.header\..+$/.test(source)) return true;
  return source.startsWith('context.') && isContextName(source.slice('context.'.length));
}

/** Whether `$context` has this name. */
export function isContextName(name: string): name is ContextName {
  return contextNames.some((known) => known === name);
}
