import {
  type Answer,
  AUTHENTIC_DATA,
  AUTHORITATIVE_ANSWER,
  CHECKING_DISABLED,
  decode,
  encode,
  type Packet,
  RECURSION_AVAILABLE,
  RECURSION_DESIRED,
  TRUNCATED_RESPONSE,
} from 'dns-packet';
import type { LookUpResult } from './lookup.ts';
import { normalizedName } from './zone-records.ts';

/** Answers as a resolver, which recurses, or as the zone's own server. */
export interface DnsSource {
  resolve: (name: string, type: string) => LookUpResult;
  authoritative: (name: string, type: string) => LookUpResult;
  /** Whether the zone of a name answers nobody, not even resolvers. */
  isSilent: (name: string) => boolean;
}

/** The codes of a response (RFC 1035, section 4.1.1). */
const RCODES = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4 } as const;

const OPCODE = 0x78_00;

/** Without EDNS, a UDP answer has at most 512 bytes. */
const PLAIN_UDP_BYTES = 512;

/** What resolvers announce since the DNS flag day of 2020. */
const UDP_BYTES = 1232;

/**
 * The answer to one message; undefined if it is not a query, or if its zone is silent. A query that asks for
 * recursion is answered as a public resolver does, any other one as the servers of the zone.
 */
export function answerMessage(source: DnsSource, bytes: Buffer): Buffer | undefined {
  const query = decoded(bytes);
  if (query === undefined) return malformed(bytes);
  if (query.type !== 'query') return undefined;
  const [question] = query.questions ?? [];
  if (question !== undefined && source.isSilent(normalizedName(question.name))) return undefined;
  const answer = answerQuery(source, query);
  const encoded = encode(answer);
  if (encoded.length <= udpLimit(query)) return encoded;
  // A client would ask again over TCP, which these servers do not have.
  const flags = (answer.flags ?? 0) | TRUNCATED_RESPONSE;
  return encode({ ...answer, flags, answers: [], authorities: [] });
}

function decoded(bytes: Buffer): Packet | undefined {
  try {
    return decode(bytes);
  } catch {
    return undefined;
  }
}

function malformed(bytes: Buffer): Buffer | undefined {
  if (bytes.length < 2) return undefined;
  return encode({ type: 'response', id: bytes.readUInt16BE(0), flags: RCODES.FORMERR });
}

function optOf({ additionals = [] }: Packet) {
  return additionals.find((one) => one.type === 'OPT');
}

function udpLimit(query: Packet): number {
  const opt = optOf(query);
  if (opt === undefined) return PLAIN_UDP_BYTES;
  return Math.min(UDP_BYTES, Math.max(PLAIN_UDP_BYTES, opt.udpPayloadSize));
}

function answerQuery(source: DnsSource, query: Packet): Packet {
  const { id = 0, flags = 0, questions = [] } = query;
  const opt = optOf(query);
  const additionals: Answer[] =
    opt === undefined
      ? []
      : [
          {
            type: 'OPT',
            name: '.',
            udpPayloadSize: UDP_BYTES,
            extendedRcode: 0,
            ednsVersion: 0,
            flags: 0,
            flag_do: opt.flag_do,
            options: [],
          },
        ];
  const respond = (rcode: number, more: Partial<Packet> = {}): Packet => ({
    type: 'response',
    id,
    questions,
    additionals,
    ...more,
    flags: (flags & (RECURSION_DESIRED | CHECKING_DISABLED)) | (more.flags ?? 0) | rcode,
  });
  const [question] = questions;
  if ((flags & OPCODE) !== 0) return respond(RCODES.NOTIMP);
  if (question === undefined || questions.length > 1) return respond(RCODES.FORMERR);
  const name = normalizedName(question.name);
  if ((flags & RECURSION_DESIRED) === 0) {
    const { rcode, ...found } = source.authoritative(name, question.type);
    return respond(RCODES[rcode], { ...found, flags: AUTHORITATIVE_ANSWER });
  }
  const { rcode, dnssec, ...found } = source.resolve(name, question.type);
  if (dnssec === 'broken' && (flags & CHECKING_DISABLED) === 0) {
    return respond(RCODES.SERVFAIL, { flags: RECURSION_AVAILABLE });
  }
  const authentic = dnssec === 'signed' ? AUTHENTIC_DATA : 0;
  return respond(RCODES[rcode], { ...found, flags: RECURSION_AVAILABLE | authentic });
}
