import { randomBytes } from 'node:crypto';

/** Lasting credentials, as an IAM user has, new at every start. */
export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
}

/** A role's temporary credentials, as a function has: each call must carry the token. */
export interface SessionCredentials extends Credentials {
  sessionToken: string;
}

interface Caller {
  secret: string;
  sessionToken: string | undefined;
  role: string;
  /** The function's name. */
  name: string;
}

/** STS names no size; tokens of roles have around 1,000 characters. As base64 these have 1,368. */
const TOKEN_BYTES = 1024;

/** Access keys and whose they are. */
export function iamCallers() {
  const callers = new Map<string, Caller>();

  function add(kind: 'AKIA' | 'ASIA', caller: Omit<Caller, 'secret'>): Credentials {
    const accessKeyId = `${kind}LOCAL${randomBytes(6).toString('hex').toUpperCase()}`;
    const secret = randomBytes(30).toString('base64url');
    callers.set(accessKeyId, { ...caller, secret });
    return { accessKeyId, secretAccessKey: secret };
  }

  return {
    get: (accessKeyId: string): Omit<Caller, 'secret'> | undefined => callers.get(accessKeyId),
    addLasting: (role: string, name: string): Credentials =>
      add('AKIA', { role, name, sessionToken: undefined }),
    addSession(role: string, name: string): SessionCredentials {
      const sessionToken = randomBytes(TOKEN_BYTES).toString('base64');
      return { ...add('ASIA', { role, name, sessionToken }), sessionToken };
    },
    /** Undefined for an unknown access key, and unless the token is the one of its session. */
    secretFor(accessKeyId: string, sessionToken: string | undefined): string | undefined {
      const caller = callers.get(accessKeyId);
      return caller?.sessionToken === sessionToken ? caller?.secret : undefined;
    },
  };
}
