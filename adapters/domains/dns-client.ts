import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { isIP } from 'node:net';
import { connect } from 'node:net';
import * as packet from 'dns-packet';
import type { Dns, DnsAnswer, DnsAuthority, DnsType, DnsView } from '../../core/domains/ports.ts';
import { namesUpFrom } from '../../core/domains/domain-name.ts';
import { isPublicAddress } from '../outgoing-http/public-address.ts';
import { type Reply, readAnswer } from './dns-answer.ts';

interface Server {
  host: string;
  port: number;
}

const dnsPort = 53;
/** UDP loses packets, so a silent server is queried once more, if there is time. */
const rounds = 2;
/** The most servers of a zone to try, one after another. */
const maxServers = 3;
/** The time for one question, including all servers, all retries, and the whole answer over TCP. */
const questionMs = 3000;
/** The time for all questions of one check: slow name servers cannot make us wait longer. */
const lookMs = 8000;

/**
 * DNS by resolvers that validate DNSSEC, and by the zones' own servers.
 * @param resolvers `1.1.1.1,8.8.8.8`; one with a port (the local cloud's) answers for the zones too
 */
export function dnsClient(resolvers: string): Dns {
  const servers = resolvers.split(',').map(parseServer);
  return {
    look() {
      const endsAt = performance.now() + lookMs;
      const views = servers.map((server) => viewOf([server], { recursive: true, endsAt }));
      return {
        resolvers: views,
        async authority(name) {
          const [first] = servers;
          if (first === undefined || first.port === dnsPort)
            return authorityOf(views, name, endsAt);
          const delegation = await delegationOf(views, name);
          return { ...viewOf([first], { recursive: false, endsAt }), ...delegation };
        },
      };
    },
  };
}

function parseServer(text: string): Server {
  const [host = '', port] = text.trim().split(':');
  if (isIP(host) === 0) throw new Error(`DNS_RESOLVERS: ${text} is no IPv4 address`);
  return { host, port: port === undefined ? dnsPort : Number(port) };
}

interface Asking {
  recursive: boolean;
  /** When the check ends, as `performance.now()` counts. */
  endsAt: number;
}

function viewOf(servers: readonly Server[], asking: Asking): DnsView {
  const waitMs = questionMs / Math.max(rounds, servers.length);
  return {
    async ask(name, type) {
      const endsAt = Math.min(asking.endsAt, performance.now() + questionMs);
      const question = { name, type, recursive: asking.recursive, endsAt, waitMs };
      let silent = servers;
      for (let round = 1; round <= rounds; round += 1) {
        const stillSilent: Server[] = [];
        for (const server of silent) {
          const answer = await askServer(server, question);
          if (answer === undefined) stillSilent.push(server);
          else if (answer.kind !== 'failed' || answer.reason === 'dnssec') return answer;
        }
        silent = stillSilent;
      }
      return { kind: 'failed', reason: 'unreachable' };
    },
  };
}

/** The servers of the nearest delegated zone above a name. */
async function authorityOf(resolvers: readonly DnsView[], name: string, endsAt: number) {
  const { zone, servers: names } = await delegationOf(resolvers, name);
  const found = await Promise.all(names.map((one) => firstAnswer(resolvers, one, 'A')));
  // The owner of the zone chooses these addresses, so never query one inside our own network.
  const hosts = found.flatMap((one) => (one.kind === 'found' ? one.values : []));
  const servers = hosts.filter(isPublicAddress).map((host) => ({ host, port: dnsPort }));
  const view = viewOf(servers.slice(0, maxServers), { recursive: false, endsAt });
  return { ...view, zone, servers: names };
}

/**
 * The nearest delegated zone and the names of its servers; none if no server answers. All parent
 * names are queried at once. If it is unknown whether a name is delegated, the result is none too:
 * the servers of the parent zone would deny names that exist in the child.
 */
async function delegationOf(
  resolvers: readonly DnsView[],
  name: string,
): Promise<Pick<DnsAuthority, 'zone' | 'servers'>> {
  const zones = namesUpFrom(name);
  const answers = await Promise.all(zones.map((one) => firstAnswer(resolvers, one, 'NS')));
  const isDecisive = (answer: DnsAnswer) => answer.kind === 'failed' || namesIn(answer).length > 0;
  const at = answers.findIndex(isDecisive);
  const servers = namesIn(answers[at]);
  if (servers.length === 0) return { zone: undefined, servers };
  return { zone: zones[at], servers: servers.slice(0, maxServers) };
}

function namesIn(answer: DnsAnswer | undefined): readonly string[] {
  return answer?.kind === 'found' ? answer.values : [];
}

async function firstAnswer(
  resolvers: readonly DnsView[],
  name: string,
  type: DnsType,
): Promise<DnsAnswer> {
  for (const view of resolvers) {
    const answer = await view.ask(name, type);
    if (answer.kind !== 'failed') return answer;
  }
  return { kind: 'failed', reason: 'unreachable' };
}

interface Question {
  name: string;
  type: DnsType;
  recursive: boolean;
  endsAt: number;
  /** How long one server may take over UDP. */
  waitMs: number;
}

/** The answer of a server; undefined if it does not reply. */
async function askServer(server: Server, question: Question): Promise<DnsAnswer | undefined> {
  const reply = await exchange(server, question, false);
  if (reply === undefined) return undefined;
  if (!question.recursive || reply.rcode !== 'SERVFAIL') return readAnswer(reply, question);
  // If a resolver answers when DNSSEC checks are disabled, only the signatures are wrong (RFC 4035
  // §3.2.2).
  const unchecked = await exchange(server, question, true);
  const isBroken = unchecked !== undefined && unchecked.rcode !== 'SERVFAIL';
  return { kind: 'failed', reason: isBroken ? 'dnssec' : 'unreachable' };
}

async function exchange(
  server: Server,
  { name, type, recursive, endsAt, waitMs }: Question,
  checkingDisabled: boolean,
): Promise<Reply | undefined> {
  const query = {
    type: 'query' as const,
    id: randomInt(65_536),
    flags:
      (recursive ? packet.RECURSION_DESIRED : 0) |
      (checkingDisabled ? packet.CHECKING_DISABLED : 0),
    questions: [{ type, name, class: 'IN' as const }],
  };
  const leftMs = () => endsAt - performance.now();
  if (leftMs() <= 0) return undefined;
  const reply = await exchangeUdp(server, query, Math.min(waitMs, leftMs())).catch(() => undefined);
  if (reply?.flag_tc !== true) return reply;
  return exchangeTcp(server, query, leftMs()).catch(() => undefined);
}

/** Accepts only the reply to this question from this server: others could forge one. */
function isReplyTo(reply: Reply, { id, questions }: packet.Packet): boolean {
  const [question] = questions ?? [];
  const [repeated] = reply.questions ?? [];
  return (
    reply.id === id &&
    reply.type === 'response' &&
    repeated?.name.toLowerCase() === question?.name.toLowerCase() &&
    repeated?.type === question?.type
  );
}

function exchangeUdp({ host, port }: Server, query: packet.Packet, waitMs: number): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4');
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      socket.close();
      settle();
    };
    const timer = setTimeout(() => finish(() => reject(new Error('no reply'))), waitMs);
    socket.on('error', (error) => finish(() => reject(error)));
    socket.on('message', (bytes, sender) => {
      if (sender.address !== host) return;
      const reply = decode(bytes, query);
      if (reply === undefined || !isReplyTo(reply, query)) return;
      finish(() => resolve(reply));
    });
    socket.send(packet.encode(query), port, host);
  });
}

/** A larger reply is not read: answers to our questions are much shorter. */
const maxReplyBytes = 16_386;

/** @param waitMs for the whole reply: a server may send a byte now and then */
function exchangeTcp({ host, port }: Server, query: packet.Packet, waitMs: number): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host, port });
    const timer = setTimeout(() => socket.destroy(new Error('no whole reply')), waitMs);
    socket.on('error', reject);
    socket.on('close', () => {
      clearTimeout(timer);
      reject(new Error('the connection was closed'));
    });
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      const bytes = Buffer.concat(chunks);
      if (bytes.length > maxReplyBytes) socket.destroy(new Error('the reply is too long'));
      if (bytes.length < 2 || bytes.length < bytes.readUInt16BE(0) + 2) return;
      const reply = decode(bytes.subarray(2), query);
      if (reply !== undefined && isReplyTo(reply, query)) resolve(reply);
      socket.destroy();
    });
    socket.write(packet.streamEncode(query));
  });
}

/**
 * Replies with more records are refused: decoding them would take tenths of a second, and the owner
 * of the server decides how many there are.
 */
const maxRecords = 100;
const headerBytes = 12;

/** A reply to this query by its header, decoded; `undefined` for anything else (RFC 1035, section 4.1.1). */
function decode(bytes: Buffer, { id }: packet.Packet): Reply | undefined {
  if (bytes.length < headerBytes || bytes.readUInt16BE(0) !== id) return undefined;
  const counts = [4, 6, 8, 10].map((at) => bytes.readUInt16BE(at));
  if (counts.reduce((sum, count) => sum + count, 0) > maxRecords) return undefined;
  try {
    return packet.decode(bytes);
  } catch {
    return undefined;
  }
}
