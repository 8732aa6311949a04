/** What secrets are for. Each function may read those of its purposes only. */
export const secretPurposes = ['access', 'code', 'origin', 'media'] as const;
export type SecretPurpose = (typeof secretPurposes)[number];

/** Staging labels of Secrets Manager, by which one value of a secret is read. */
export interface SecretLabels {
  current: string;
  previous: string;
  next: string;
}

/** The labels that Secrets Manager itself moves. */
const ownLabels: SecretLabels = {
  current: 'AWSCURRENT',
  previous: 'AWSPREVIOUS',
  next: 'AWSPENDING',
};

/**
 * The labels of one purpose in a secret that several share. Twelve in all; a secret may have 20 (Secrets
 * Manager quota).
 */
export function labelsOf(purpose: SecretPurpose): SecretLabels {
  return {
    current: `${purpose}-current`,
    previous: `${purpose}-previous`,
    next: `${purpose}-next`,
  };
}

/** Where the values of one purpose are. */
export interface SecretPlace {
  arn: string;
  labels: SecretLabels;
  /** Whether the labels are ours, so that nobody but us moves the one of the previous value. */
  isShared: boolean;
}

/** The text of a place in a shared secret; a secret of one purpose is named by its ARN alone. */
export function sharedPlace(arn: string, purpose: SecretPurpose): string {
  return `${arn}#${purpose}`;
}

/** Reads `<arn>` or `<arn>#<purpose>`. */
export function parseSecretPlace(text: string): SecretPlace {
  const [arn = '', name] = text.split('#');
  if (name === undefined) return { arn, labels: ownLabels, isShared: false };
  const purpose = secretPurposes.find((one) => one === name);
  if (purpose === undefined) {
    throw new Error(
      `A secret has no values for "${name}". Use one of ${secretPurposes.join(', ')}.`,
    );
  }
  return { arn, labels: labelsOf(purpose), isShared: true };
}
