import type { AccountId, DomainId, Instant, ProjectId } from '../../contract/fields.ts';
import type { StoredDomain, ValidationRecord } from './domain.ts';
import type { AddressHolder } from '../projects/addresses/address-availability.ts';
import type { KeptCertificate } from '../ports.ts';
import type { CertificateLimits } from './certificate-budget.ts';
import type { ZoneClaims } from './zone-claims.ts';

/** The answer of one server about one name. TTLs are in seconds. */
export type DnsAnswer =
  | {
      kind: 'found';
      /** Values of the requested type: targets without the final dot, TXT strings joined. */
      values: readonly string[];
      /** Targets of the aliases that led there, nearest first. */
      aliases: readonly string[];
      ttl: number;
    }
  | { kind: 'none'; ttl: number }
  | { kind: 'failed'; reason: 'dnssec' | 'unreachable' };

export type DnsType = 'TXT' | 'CNAME' | 'A' | 'AAAA' | 'CAA' | 'NS';

/** One server, or several with the same answers. */
export interface DnsView {
  ask(name: string, type: DnsType): Promise<DnsAnswer>;
}

/** DNS queries, each group of which ends within a few seconds. */
export interface Dns {
  /** Begins a group of queries. When its time is over, every missing answer is `failed`. */
  look(): DnsLook;
}

/** DNS as everybody sees it, and as the zone's own servers answer. */
export interface DnsLook {
  resolvers: readonly DnsView[];
  /** The servers to which the zone of a name is delegated, with their names. */
  authority(name: string): Promise<DnsAuthority>;
}

/** The servers of a zone. */
export interface DnsAuthority extends DnsView {
  /** The nearest delegated name; undefined if no server answers. */
  zone: string | undefined;
  servers: readonly string[];
}

/** A certificate as its issuer shows it. */
export type CertificateState =
  | { kind: 'none' }
  | { kind: 'pending'; validation: ValidationRecord | null }
  | { kind: 'issued'; validation: ValidationRecord | null; expiresAt: Instant | null }
  | { kind: 'failed'; reason: string }
  | { kind: 'unknown' };

/** Certificates for `name` and `*.name`. */
export interface Certificates {
  /**
   * Returns the ARN; the same one for a repeated call with the same `round`. Undefined while a
   * quota or throttle refuses.
   */
  request(
    domain: Pick<StoredDomain, 'id' | 'name' | 'certificateRound'>,
  ): Promise<string | undefined>;
  describe(arn: string): Promise<CertificateState>;
  /** `in-use`: something still uses it; also succeeds where it does not exist. */
  remove(arn: string): Promise<'removed' | 'in-use' | 'busy'>;
}

/** The delivery of a domain at the edge. */
export type TenantState =
  | { kind: 'none' }
  | { kind: 'deploying'; enabled: boolean }
  | { kind: 'deployed'; enabled: boolean }
  | { kind: 'unknown' };

/** Tenants of the visitor distribution, by the id of their domain. Every call can be repeated. */
export interface Tenants {
  describe(id: DomainId): Promise<TenantState>;
  /** `conflict`: the names belong to another tenant; `busy`: a quota or throttle. */
  create(domain: {
    id: DomainId;
    name: string;
    certificateArn: string;
  }): Promise<'done' | 'conflict' | 'busy'>;
  setEnabled(id: DomainId, enabled: boolean): Promise<'done' | 'busy'>;
  /** A tenant must be disabled and deployed first; also succeeds if there is none. */
  remove(id: DomainId): Promise<'removed' | 'busy'>;
}

/** The fields of a domain that a change may set; `projectCount` changes with projects only. */
export type DomainChange = Partial<
  Omit<StoredDomain, 'id' | 'accountId' | 'name' | 'projectCount' | 'revision' | 'createdAt'>
>;

/** A change of a zone's claims, over the revision that was read. */
export interface ClaimChange {
  before: ZoneClaims;
  after: ZoneClaims;
  /** Domains of others that lose their names to it. Their removal begins with the same write. */
  losers: readonly (Pick<StoredDomain, 'id' | 'accountId' | 'name'> & { wasProven: boolean })[];
  at: Instant;
}

/** A new domain with its claim. */
export interface NewDomain {
  domain: StoredDomain;
  claims: ClaimChange;
  /** At most this many domains in the account; -1 for no limit. */
  limit: number;
}

/** Whether a request is counted, and how many the installation made in a year. */
export type CountedCertificate =
  | { kind: 'counted'; domain: StoredDomain; used: number }
  | { kind: 'refused'; refusal: 'day' | 'life' | 'year'; used: number }
  | { kind: 'lost' };

/** The project that a bare name shows or showed. */
export interface NameRoot {
  domainId: DomainId;
  projectId: ProjectId;
  /**
   * Until when the name is held for the project, if that was taken down when it left the domain;
   * null otherwise.
   */
  heldUntil: Instant | null;
  /** When the bare name came from another account; null where no former site is known. */
  handedOverAt: Instant | null;
}

/** Another project for a bare name, or none. */
export interface RootChange {
  /** The current root project. */
  before: NameRoot | undefined;
  projectId: ProjectId | null;
  at: Instant;
}

/** Domains of accounts. */
export interface DomainStore {
  get(id: DomainId): Promise<StoredDomain | undefined>;
  list(accountId: AccountId): Promise<StoredDomain[]>;
  claims(zone: string): Promise<ZoneClaims>;
  /** `lost`: the claims changed meanwhile. */
  create(created: NewDomain): Promise<'created' | 'lost' | 'limit'>;
  /** Writes a change over the revision that was read; false if there is a newer one. */
  change(domain: StoredDomain, change: DomainChange, claims?: ClaimChange): Promise<boolean>;
  /** Marks a domain as removed: it no longer counts, is not listed and accepts no project. */
  beginRemoval(
    domain: StoredDomain,
    at: Instant,
    claims: ClaimChange | undefined,
  ): Promise<boolean>;
  /** The project of a bare name, in any domain; also a former one for which the name is held. */
  root(name: string): Promise<NameRoot | undefined>;
  /** The holder of the same name as an address beneath another domain. */
  holder(name: string): Promise<AddressHolder>;
  /** Sets the project of the bare name, or none; false if the domain or its root changed meanwhile. */
  setRoot(domain: StoredDomain, change: RootChange): Promise<boolean>;
  /**
   * For a domain that is being removed: its bare name shows nothing any more. A held name stays
   * held.
   */
  removeRoot(domain: StoredDomain): Promise<void>;
  /** Keeps the certificate of a domain that is being removed for its name; false if the domain changed. */
  keepCertificate(domain: StoredDomain, kept: { arn: string; until: Instant }): Promise<boolean>;
  /** Gives a domain the certificate that was kept for its name; `lost`: something changed meanwhile. */
  takeCertificate(domain: StoredDomain, now: Date): Promise<'taken' | 'none' | 'lost'>;
  /** Whether a kept certificate is due; from then on no domain can get it. */
  seizeCertificate(kept: KeptCertificate, now: Date): Promise<boolean>;
  releaseCertificate(kept: KeptCertificate, now: Date): Promise<void>;
  forgetCertificate(kept: KeptCertificate): Promise<void>;
  /** Counts the certificate that is about to be requested for a domain, unless a limit is reached. */
  countCertificate(
    domain: StoredDomain,
    limits: CertificateLimits,
    now: Date,
  ): Promise<CountedCertificate>;
  /** Deletes the row of a domain whose removal is done; false while projects are in it. */
  endRemoval(domain: StoredDomain): Promise<boolean>;
}

/** The projects of domains. */
export interface DomainProjects {
  /** May lag behind by moments. */
  listIn(
    accountId: AccountId,
    domainId: DomainId,
  ): Promise<{ id: ProjectId; title: string; slug: string; status: string }[]>;
}

/** Tells owners about their domains. */
export interface DomainMailer {
  sendDomainNotice(email: string, notice: DomainNotice): Promise<void>;
}

/** Why an owner gets a mail. */
export interface DomainNotice {
  domain: string;
  kind: 'lost-records' | 'certificate-ends' | 'plan-ended' | 'resting' | 'lost-to-other';
  /** The missing records, or the date when something ends. */
  detail: string;
  /** Whether the account gets no other mail about its domains today. */
  isLastToday?: boolean;
}
