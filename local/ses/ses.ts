import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { ServiceServer } from '../http/service-server.ts';
import { arn } from '../assembly/resource-type.ts';
import { ServiceError } from '../errors.ts';
import {
  awsXml,
  type ServiceDeps,
  type SignedCall,
  startSignedService,
  xmlAnswer,
} from '../signatures/signed-service.ts';
import { bareAddress, type Mail, type MailStore } from './mail-store.ts';
import { type Message, MessageError, readMessage } from './message.ts';
import { type SuppressionList, SuppressionReason } from './suppression-list.ts';
import { physicalId } from '../assembly/resource-types.ts';
import { parseProperties, type Resource } from '../assembly/resource.ts';

export interface SesOptions extends ServiceDeps {
  store: MailStore;
  /** The verified domains and addresses of the templates. */
  identities: string[];
  configurationSets: ConfigurationSet[];
  suppressed: SuppressionList;
  /** In the sandbox, where every account starts, recipients must be verified too. */
  sandbox?: boolean | undefined;
}

const ACTION = 'SendRawEmail';

/** The verified identity of an address: the address, its domain, or a parent domain. */
function identityOf(address: string, identities: string[]): string | undefined {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return identities.find(
    (identity) => identity === address || identity === domain || domain.endsWith(`.${identity}`),
  );
}

/** Mail to SES's mailbox simulator is allowed in the sandbox too. */
const SIMULATOR = 'simulator.amazonses.com';

/**
 * What a caller needs permission for: the sender's identity, the configuration set and, while the
 * account is in the sandbox, the identity of every recipient.
 */
function resourcesOf(options: SesOptions, mail: MailOfForm, configurationSet: string): string[] {
  const { identities, sandbox = false } = options;
  const checked = [bareAddress(mail.from), ...(sandbox ? mail.to.map(bareAddress) : [])];
  return [
    ...checked.map((address) => `identity/${identityOf(address, identities) ?? address}`),
    ...(configurationSet === '' ? [] : [`configuration-set/${configurationSet}`]),
  ].map((name) => arn('ses', name));
}

function requireVerified({ identities, sandbox = false }: SesOptions, mail: MailOfForm): void {
  const recipients = sandbox
    ? mail.to.map(bareAddress).filter((address) => !address.endsWith(`@${SIMULATOR}`))
    : [];
  const unverified = [bareAddress(mail.from), ...recipients].filter(
    (address) => identityOf(address, identities) === undefined,
  );
  if (unverified.length === 0) return;
  throw new ServiceError(
    'MessageRejected',
    `Email address is not verified. The following identities failed the check in region US-EAST-1: ${unverified.join(', ')}`,
  );
}

/** SES accepts a mail for a suppressed address and does not send it. */
function withoutSuppressed(
  { suppressed }: SesOptions,
  { suppressedReasons }: Pick<ConfigurationSet, 'suppressedReasons'>,
  mail: MailOfForm,
): MailOfForm {
  const isSent = (address: string) => {
    const reason = suppressed.reasonFor(address);
    return reason === undefined || !suppressedReasons.includes(reason);
  };
  return { ...mail, to: mail.to.filter(isSent) };
}

function findConfigurationSet(
  { configurationSets }: SesOptions,
  name: string,
): Pick<ConfigurationSet, 'suppressedReasons'> {
  // Without a configuration set the account's own setting applies, which is off in older accounts.
  if (name === '') return { suppressedReasons: [] };
  const found = configurationSets.find((one) => one.name === name);
  if (found !== undefined) return found;
  throw new ServiceError(
    'ConfigurationSetDoesNotExist',
    `Configuration set <${name}> does not exist.`,
  );
}

function send(options: SesOptions, { body, requirePermission }: SignedCall): string {
  const { store, clock } = options;
  const form = new URLSearchParams(body.toString('utf8'));
  const action = form.get('Action') ?? '';
  if (action !== ACTION) {
    throw new ServiceError('InvalidAction', `The local SES does not support the action ${action}.`);
  }
  const unknown = unknownParameter(form);
  if (unknown !== undefined) {
    throw new ServiceError('InvalidParameterValue', `The local SES does not know ${unknown}.`);
  }
  const mail = mailOf(form);
  const setName = form.get('ConfigurationSetName') ?? '';
  const context = { 'ses:fromaddress': bareAddress(mail.from) };
  for (const resource of resourcesOf(options, mail, setName)) {
    requirePermission(`ses:${ACTION}`, resource, context);
  }
  const configurationSet = findConfigurationSet(options, setName);
  requireVerified(options, mail);
  if (mail.to.length === 0) {
    throw new ServiceError('InvalidParameterValue', 'Missing final recipient.');
  }
  const id = randomUUID();
  const sent = withoutSuppressed(options, configurationSet, mail);
  if (sent.to.length > 0) store.add({ ...sent, id, sentAt: clock.now().toISOString() });
  return `<${action}Response><${action}Result><MessageId>${id}</MessageId></${action}Result></${action}Response>`;
}

/** Starts SES (version 1, Query protocol): every mail that would be sent is stored. */
export function startSes(options: SesOptions): Promise<ServiceServer> {
  return startSignedService(options, { service: 'ses', protocol: awsXml }, (call) =>
    xmlAnswer(send(options, call)),
  );
}

/** A mail as a request describes it. */
type MailOfForm = Omit<Mail, 'id' | 'sentAt'>;

const RECIPIENT = /^Destinations\.member\.\d+$/;

/** The parameters of `SendRawEmail` that the local SES knows, besides the recipients. */
const PARAMETERS = new Set([
  'Action',
  'Version',
  'ConfigurationSetName',
  'Source',
  'RawMessage.Data',
]);

/** The first parameter of a form that the local SES does not know. */
function unknownParameter(form: URLSearchParams): string | undefined {
  return [...form.keys()].find((name) => !PARAMETERS.has(name) && !RECIPIENT.test(name));
}

/** The mail of `SendRawEmail`. Its `From` is the sender that SES checks. */
function mailOf(form: URLSearchParams): MailOfForm {
  const { headers, ...texts } = messageOf(form.get('RawMessage.Data') ?? '');
  const from = headers.get('from') ?? '';
  if (bareAddress(from) !== bareAddress(form.get('Source') ?? '')) {
    throw new ServiceError('InvalidParameterValue', 'Source and From must be the same address.');
  }
  const to = [...form].filter(([name]) => RECIPIENT.test(name)).map(([, address]) => address);
  return { from, to, ...texts, headers: Object.fromEntries(headers) };
}

function messageOf(base64: string): Message {
  try {
    return readMessage(Buffer.from(base64, 'base64'));
  } catch (error) {
    if (!(error instanceof MessageError)) throw error;
    throw new ServiceError('InvalidParameterValue', error.message);
  }
}

interface ConfigurationSet {
  name: string;
  /** Addresses on the suppression list for one of these reasons get no mail. */
  suppressedReasons: SuppressionReason[];
}

const Properties = z.object({
  SuppressionOptions: z
    .object({ SuppressedReasons: z.array(SuppressionReason).default([]) })
    .prefault({}),
});

/** The configuration set that a resource defines. */
export function configurationSetOf(resource: Resource): ConfigurationSet {
  const { SuppressionOptions } = parseProperties(resource, Properties);
  return { name: physicalId(resource), suppressedReasons: SuppressionOptions.SuppressedReasons };
}
